@NullMarked
package io.treecast.testkit.trace;

import org.jspecify.annotations.NullMarked;
