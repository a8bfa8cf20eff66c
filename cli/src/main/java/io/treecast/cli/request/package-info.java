/** {@code treecast request} and {@code serve}. */
@NullMarked
package io.treecast.cli.request;

import org.jspecify.annotations.NullMarked;
