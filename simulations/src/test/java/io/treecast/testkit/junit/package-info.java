@NullMarked
package io.treecast.testkit.junit;

import org.jspecify.annotations.NullMarked;
