/**
 * The directory of an agent on disk: measured series, the numbers of its starts, and its votes for
 * claims. A failing disk costs a warning, but never prevents a start.
 */
@NullMarked
package io.treecast.agent.runtime.series;

import org.jspecify.annotations.NullMarked;
