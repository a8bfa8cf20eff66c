/**
 * The directory of an agent on disk: measured series, and the number of its starts. A disk that
 * fails costs a warning and no start.
 */
@NullMarked
package io.treecast.agent.runtime.series;

import org.jspecify.annotations.NullMarked;
