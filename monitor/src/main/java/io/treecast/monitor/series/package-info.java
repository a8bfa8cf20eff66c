/**
 * The measurements of a link over time, as bytes. {@link io.treecast.monitor.series.SeriesFormat}
 * is a ring of records with checksums, so a process that ends in the middle of a write loses one
 * record at most.
 *
 * <p>In scope: the format. Out of scope: the files, which the caller opens, reads and writes.
 */
@NullMarked
package io.treecast.monitor.series;

import org.jspecify.annotations.NullMarked;
