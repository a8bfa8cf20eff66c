/** Specifies what settings an agent takes, and how it refuses others. */
@NullMarked
package io.treecast.agent.config;

import org.jspecify.annotations.NullMarked;
