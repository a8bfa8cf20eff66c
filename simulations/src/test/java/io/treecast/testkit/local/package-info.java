@NullMarked
package io.treecast.testkit.local;

import org.jspecify.annotations.NullMarked;
