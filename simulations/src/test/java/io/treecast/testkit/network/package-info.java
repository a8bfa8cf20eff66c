@NullMarked
package io.treecast.testkit.network;

import org.jspecify.annotations.NullMarked;
