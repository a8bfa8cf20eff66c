/** Tests of the published experiments, and of their runs on real agents. */
@NullMarked
package io.treecast.testkit.reproduce;

import org.jspecify.annotations.NullMarked;
