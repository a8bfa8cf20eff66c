/** Specifies the settings that an agent accepts, and its refusals of others. */
@NullMarked
package io.treecast.agent.config;

import org.jspecify.annotations.NullMarked;
