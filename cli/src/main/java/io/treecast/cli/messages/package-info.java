/** {@code treecast broadcast} and {@code subscribe}. */
@NullMarked
package io.treecast.cli.messages;

import org.jspecify.annotations.NullMarked;
