@NullMarked
package io.treecast.cli;

import org.jspecify.annotations.NullMarked;
