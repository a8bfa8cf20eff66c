package io.treecast.jobs.schedule;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A job that runs in the cluster, as one member knows it. */
final class KnownJob {
  final JobId id;
  final boolean isOwn;
  final BestValue best = new BestValue();

  /** The time of the owner's last announcement. */
  long heardNanos;

  boolean isOver;

  /** The participants according to the owner, including the owner. */
  SortedSet<String> members = Collections.emptySortedSet();

  /** At the owner: the time of the last sign of each participant. */
  final SortedMap<String, Long> participants = new TreeMap<>();

  long announcedNanos;
  boolean hasNewMembers;
  long bestToldNanos;
  boolean hasNewBest;

  KnownJob(JobId id, boolean isOwn, long nowNanos) {
    this.id = id;
    this.isOwn = isOwn;
    this.heardNanos = nowNanos;
    this.announcedNanos = nowNanos;
    this.bestToldNanos = nowNanos - Scheduler.PAUSE_NANOS;
  }

  SortedSet<String> victims() {
    return isOwn ? new TreeSet<>(participants.keySet()) : members;
  }
}
