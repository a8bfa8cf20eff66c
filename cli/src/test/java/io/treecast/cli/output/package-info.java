@NullMarked
package io.treecast.cli.output;

import org.jspecify.annotations.NullMarked;
