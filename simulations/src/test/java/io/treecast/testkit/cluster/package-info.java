@NullMarked
package io.treecast.testkit.cluster;

import org.jspecify.annotations.NullMarked;
