/**
 * The settings of the core as immutable values with ranges and units. {@code
 * io.treecast.agent.config} reads them from a file; this package reads no files.
 */
@NullMarked
package io.treecast.agent.core.settings;

import org.jspecify.annotations.NullMarked;
