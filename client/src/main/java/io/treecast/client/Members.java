package io.treecast.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of the committed tree and their labels, as the client's agent has them.
 *
 * <pre>{@code
 * treecast.members().select(Selector.parse("gpu>=4, site=east")).join();
 * treecast.members().label("fw", "2.1").join();
 * }</pre>
 *
 * An agent has the labels of its settings and those that its applications set. Labels are shared
 * {@link Values}: changes reach other members along the tree, so reads may lag. In a partition each
 * part has its own members. Safe for use by several threads.
 */
public final class Members {
  /** The map of shared values with an entry for each label of each member. */
  static final String MAP = "treecast.labels";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,63}");
  private static final Pattern VALUE = Pattern.compile("[^\\p{Cntrl},]+");
  private static final int MAX_VALUE_BYTES = 200;

  private final Treecast treecast;
  private final Values<String> labels;

  // Guarded by this.
  private @Nullable TreeMembers tree;

  Members(Treecast treecast) {
    this.treecast = treecast;
    this.labels = treecast.values(MAP, Codec.utf8());
  }

  /**
   * Returns the members in the order of their ids. Waits for the first tree; fails like {@link
   * Values#snapshot}.
   */
  public CompletableFuture<List<Member>> list() {
    return select(Selector.all());
  }

  /** Returns the members that match a selector, in the order of their ids, like {@link #list}. */
  public CompletableFuture<List<Member>> select(Selector selector) {
    return PublicFuture.of(ownSelect(Objects.requireNonNull(selector, "selector")));
  }

  CompletableFuture<List<Member>> ownSelect(Selector selector) {
    TreeMembers present;
    try {
      present = tree();
    } catch (TreecastException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    return present
        .first()
        .thenCompose(first -> labels.ownSnapshot())
        .thenApply(
            entries -> {
              Map<String, Map<String, String>> byMember = new HashMap<>();
              entries.forEach((key, entry) -> put(byMember, key, entry.value()));
              return members(present.latest().all(), byMember, selector);
            });
  }

  private synchronized TreeMembers tree() {
    if (tree == null || tree.isOver()) {
      tree = new TreeMembers(treecast);
    }
    return tree;
  }

  /**
   * Receives the members that match a selector, and then each change. Returns at once.
   *
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public Subscription watch(Selector selector, MemberHandler handler) {
    return new MemberWatch(
        treecast,
        labels,
        Objects.requireNonNull(selector, "selector"),
        Objects.requireNonNull(handler, "handler"));
  }

  /**
   * Sets a label of the client's agent until the returned subscription or the client is closed. If
   * the client goes to another agent, the label does, too. It replaces a label of the same name
   * from the agent's settings or from another application; that of the settings returns afterwards.
   *
   * @param name 1 to 63 letters, digits, '.', '_' and '-', except {@code id} and {@code site}
   * @param value 1 to 200 bytes without commas and control characters
   * @return the label, once the agent has it; cancelling the future withdraws the label
   * @throws IllegalArgumentException if the name or the value is invalid
   */
  public CompletableFuture<Subscription> label(String name, String value) {
    if (!NAME.matcher(name).matches() || name.equals("id") || name.equals(Member.SITE)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not the name of a label; allowed are 1 to 63 letters, digits, '.', '_' and"
              + " '-', except 'id' and 'site'");
    }
    if (!VALUE.matcher(value).matches()
        || !value.equals(value.strip())
        || value.getBytes(StandardCharsets.UTF_8).length > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          ("'%s' is not the value of a label; allowed are 1 to %s bytes of UTF-8 without "
                  + "commas and control characters")
              .formatted(value, MAX_VALUE_BYTES));
    }
    Subscription label;
    try {
      label = labels.putEphemeral("/" + name, value); // Of the agent that gets it.
    } catch (TreecastException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    CompletableFuture<Subscription> given =
        PublicFuture.of(label.ready().thenApply(ready -> label));
    var unused =
        given.whenComplete(
            (same, error) -> {
              if (error != null) {
                label.close(); // The caller has no reference to it.
              }
            });
    return given;
  }

  /** Adds a label to those of its member; ignores an entry of another form. */
  static void put(Map<String, Map<String, String>> byMember, String key, String value) {
    int slash = key.indexOf('/');
    if (slash > 0) {
      byMember
          .computeIfAbsent(key.substring(0, slash), member -> new TreeMap<>())
          .put(key.substring(slash + 1), value);
    }
  }

  static List<Member> members(
      SortedSet<String> present, Map<String, Map<String, String>> byMember, Selector selector) {
    List<Member> members = new ArrayList<>();
    for (String id : present) {
      Member member = new Member(id, byMember.getOrDefault(id, Map.of()));
      if (selector.matches(member)) {
        members.add(member);
      }
    }
    return members;
  }
}
