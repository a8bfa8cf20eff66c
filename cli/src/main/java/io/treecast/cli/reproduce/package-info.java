/** {@code treecast reproduce}: the published evaluation beside what Treecast does. */
@NullMarked
package io.treecast.cli.reproduce;

import org.jspecify.annotations.NullMarked;
