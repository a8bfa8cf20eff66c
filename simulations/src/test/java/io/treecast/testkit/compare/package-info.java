@NullMarked
package io.treecast.testkit.compare;

import org.jspecify.annotations.NullMarked;
