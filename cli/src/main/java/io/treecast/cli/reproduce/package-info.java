/**
 * {@code treecast reproduce}: the published evaluation compared with Treecast, as text, JSON, or a
 * page with charts. The experiments are in {@code io.treecast.testkit.reproduce}.
 */
@NullMarked
package io.treecast.cli.reproduce;

import org.jspecify.annotations.NullMarked;
