@NullMarked
package io.treecast.testkit.sim;

import org.jspecify.annotations.NullMarked;
