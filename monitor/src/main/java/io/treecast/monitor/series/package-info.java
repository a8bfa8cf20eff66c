/**
 * The measurements of a link over time, as bytes: {@link io.treecast.monitor.series.SeriesFormat}
 * is a ring of records, each with its checksum, that survives a process that ends in the middle of
 * a write. The owner of the files is outside.
 */
@NullMarked
package io.treecast.monitor.series;

import org.jspecify.annotations.NullMarked;
