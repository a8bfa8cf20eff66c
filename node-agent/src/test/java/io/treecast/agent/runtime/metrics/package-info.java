/** Specifies the meters of an agent. */
@NullMarked
package io.treecast.agent.runtime.metrics;

import org.jspecify.annotations.NullMarked;
