package io.treecast.client;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A member of the committed tree, with its labels. Immutable.
 *
 * @param id the node id of its agent
 * @param labels by name, in the order of the names; its site is the label {@value #SITE}
 */
public record Member(String id, SortedMap<String, String> labels) {
  /** The label that names the site of an agent with a {@code site} setting. */
  public static final String SITE = "site";

  /** Copies the labels. */
  public Member {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Creates a member with these labels. */
  public Member(String id, Map<String, String> labels) {
    this(id, new TreeMap<>(labels));
  }

  /** Returns the name of its site; null if its agent has none. */
  public @Nullable String site() {
    return labels.get(SITE);
  }

  @Override
  public String toString() {
    return labels.isEmpty() ? id : id + " " + labels;
  }
}
