@NullMarked
package io.treecast.cli.tree;

import org.jspecify.annotations.NullMarked;
