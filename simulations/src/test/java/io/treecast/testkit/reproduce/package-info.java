/** Tests of the published experiments: which run on real agents, and that such a run ends. */
@NullMarked
package io.treecast.testkit.reproduce;

import org.jspecify.annotations.NullMarked;
