/**
 * The settings of the core, with their ranges and units. Immutable values; read from a file by
 * {@code io.treecast.agent.config}.
 */
@NullMarked
package io.treecast.agent.core.settings;

import org.jspecify.annotations.NullMarked;
