/**
 * {@code treecast broadcast} and {@code subscribe}, with the texts of confirmations, traces and
 * missed messages.
 */
@NullMarked
package io.treecast.cli.messages;

import org.jspecify.annotations.NullMarked;
