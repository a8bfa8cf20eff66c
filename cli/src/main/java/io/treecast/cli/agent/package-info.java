/**
 * {@code treecast agent}, which runs one agent in this process, and the commands that check its
 * settings, its permissions and its machine without starting it: {@code config}, {@code may} and
 * {@code doctor}.
 */
@NullMarked
package io.treecast.cli.agent;

import org.jspecify.annotations.NullMarked;
