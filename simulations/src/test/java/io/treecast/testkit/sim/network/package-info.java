@NullMarked
package io.treecast.testkit.sim.network;

import org.jspecify.annotations.NullMarked;
