/**
 * The measurements of a link over time, as bytes: {@link io.treecast.monitor.series.SeriesFormat}
 * is a ring of records, each with its checksum, that survives whatever ends the process in the
 * middle of a write. Who has a disk writes them there.
 */
@NullMarked
package io.treecast.monitor.series;

import org.jspecify.annotations.NullMarked;
