package io.treecast.monitor.series;

import java.util.List;

/**
 * What a file holds.
 *
 * @param capacity how many points it may hold
 * @param lastNumber of the point that was written last, counted from 1 on; 0 if there is none
 * @param points oldest first
 * @param damaged how many records cannot be read
 */
public record SeriesContent(int capacity, long lastNumber, List<SeriesPoint> points, int damaged) {
  /** Copies the list. */
  public SeriesContent {
    points = List.copyOf(points);
  }
}
