@NullMarked
package io.treecast.cli.simulate;

import org.jspecify.annotations.NullMarked;
