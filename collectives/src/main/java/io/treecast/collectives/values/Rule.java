package io.treecast.collectives.values;

/** Decides which of two entries of a key stays. */
public enum Rule {
  /** The one with the later stamp. */
  LATEST,
  /** The one with the lower number; of equal numbers, the earlier stamp. */
  LEAST,
  /** The one with the higher number; of equal numbers, the earlier stamp. */
  GREATEST;

  /** Returns whether entries have numbers, and maps have one entry, with the empty key. */
  public boolean isBest() {
    return this != LATEST;
  }

  /** Returns whether an entry replaces another one of its key. */
  boolean replaces(Entry entry, Entry other) {
    int numbers = Double.compare(entry.number(), other.number());
    int stamps = entry.stamp().compareTo(other.stamp());
    return switch (this) {
      case LATEST -> stamps > 0;
      case LEAST -> numbers < 0 || (numbers == 0 && stamps < 0);
      case GREATEST -> numbers > 0 || (numbers == 0 && stamps < 0);
    };
  }
}
