/**
 * {@code treecast request} and {@code serve}: requests to services at members, and answers by a
 * program.
 */
@NullMarked
package io.treecast.cli.request;

import org.jspecify.annotations.NullMarked;
