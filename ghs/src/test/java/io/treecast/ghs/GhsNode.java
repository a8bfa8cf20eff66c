package io.treecast.ghs;

import static io.treecast.ghs.Responses.Outcome.DONE;
import static io.treecast.ghs.Responses.Outcome.MUST_WAIT;

import io.treecast.ghs.GhsMessage.Phase;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One node of the distributed algorithm that builds a minimum spanning tree (Gallager, Humblet and
 * Spira, "A Distributed Algorithm for Minimum-Weight Spanning Trees", ACM TOPLAS 5(1), 1983).
 *
 * <p>At first each node is a fragment of level 0. The nodes of a fragment search together for its
 * minimum outgoing edge: the two ends of its core edge send Initiate down the tree, each node tests
 * its own links in order of weight, and Report brings the minimum back to the core. The core then
 * moves to that edge and connects. Two fragments of equal level that chose the same edge merge into
 * one of the next level with that edge as its core; a fragment of lower level is absorbed. A
 * fragment of level L has at least 2^L nodes. When no edge leaves the fragment, both ends of its
 * core edge halt.
 *
 * <p>Three things are not as in the paper:
 *
 * <ul>
 *   <li>A report of no outgoing edge lists the branches below its sender, so that the core knows
 *       the whole tree when it halts. The messages are as many.
 *   <li>A node serves what waited for its new level before it tests a link. That saves Tests and
 *       Rejects: on the reference network the build takes 782 messages instead of 794.
 *   <li>The in-branch turns when the core moves, and not with the Initiate that follows. In between
 *       nobody goes by it but {@link Contract}: the messages are the same.
 * </ul>
 *
 * <p>This class is the node's mailbox: it refuses what no correct neighbour sends ({@link
 * Contract}), lets the algorithm respond ({@link Responses}), and keeps what must wait.
 *
 * <p>Links must deliver each message once and, per direction, in the order of sending. Confined to
 * one thread at a time; {@link Effects} must not call back into the node.
 */
public final class GhsNode {
  /** The highest level of a fragment. */
  public static final int MAX_LEVEL = 20;

  /** The most nodes of a network: what bounds the levels bounds the lists of branches, too. */
  public static final int MAX_NODES = 1 << MAX_LEVEL;

  /** What a node does to the world, in the order in which it does it. */
  public interface Effects {
    /** Sends a message to a neighbour. */
    void send(NodeId neighbour, GhsMessage message);

    /**
     * No edge leaves the fragment: the tree is complete. Called once at each end of the core edge,
     * or at a lone node.
     *
     * @param root the end of the core edge with the lower id, or the lone node itself
     * @param level the fragment's level
     * @param branches all edges of the tree, lightest first
     */
    void halted(NodeId root, int level, List<LinkWeight> branches);
  }

  private final NodeId self;
  private final Links links;
  private final Responses responses;

  /** In order of arrival. At most one message of each link waits: Contract sees to that. */
  private final Map<Link, GhsMessage> deferred = new LinkedHashMap<>();

  /**
   * A sleeping node.
   *
   * @param links its links, which never change; both ends must hold the same weights
   * @throws IllegalArgumentException if a link does not end at this node, or two lead to the same
   *     neighbour
   */
  public GhsNode(NodeId self, Collection<LinkWeight> links, Effects effects) {
    this.self = self;
    this.links = new Links(self, links);
    this.responses = new Responses(self, this.links, effects);
  }

  /** Wakes up, unless awake. */
  public void wake() {
    responses.wakeUp();
  }

  /**
   * Handles a message, and then those that waited for what it changed. Connect and Test wake a
   * sleeping node.
   *
   * @throws GhsViolation if no correct neighbour can have sent it; the node is then unchanged
   */
  public void receive(NodeId from, GhsMessage message) {
    Link link = links.to(from);
    if (link == null) {
      throw new GhsViolation(self, from, message, "it is not a neighbour");
    }
    new Contract(responses, link, deferred.containsKey(link))
        .breach(message)
        .ifPresent(
            reason -> {
              throw new GhsViolation(self, from, message, reason);
            });
    if (responses.to(message, link) == MUST_WAIT) {
      deferred.put(link, message);
    } else {
      serveDeferred();
      responses.startSearchIfDue();
      serveDeferred();
    }
  }

  /** Any of the waiting messages may have become due, and each one served may free another. */
  private void serveDeferred() {
    boolean progress = !deferred.isEmpty();
    while (progress) {
      progress = false;
      for (Iterator<Map.Entry<Link, GhsMessage>> i = deferred.entrySet().iterator();
          i.hasNext(); ) {
        Map.Entry<Link, GhsMessage> waiting = i.next();
        if (responses.to(waiting.getValue(), waiting.getKey()) == DONE) {
          i.remove();
          progress = true;
        }
      }
    }
  }

  /** This node. */
  public NodeId self() {
    return self;
  }

  /** Whether it woke up. */
  public boolean awake() {
    return responses.awake;
  }

  /** The level of its fragment, as far as it knows. Never falls. */
  public int level() {
    return responses.level;
  }

  /** The name of its fragment, which is its core edge; null at level 0. */
  public @Nullable LinkWeight fragment() {
    return responses.fragment;
  }

  /** Whether it takes part in a search. */
  public Phase phase() {
    return responses.phase;
  }

  /** Its edges of the tree so far, including one that its Connect is still on the way over. */
  public SortedSet<LinkWeight> branches() {
    SortedSet<LinkWeight> weights = new TreeSet<>();
    links.branches().forEach(branch -> weights.add(branch.weight()));
    return Collections.unmodifiableSortedSet(weights);
  }

  /** The branch towards the core of its fragment; null at a lone node and while asleep. */
  public @Nullable LinkWeight inBranch() {
    Link link = responses.inBranch;
    return link == null ? null : link.weight();
  }

  /** How many received messages wait: at most one for each link. */
  public int deferredCount() {
    return deferred.size();
  }

  /** Whether it is an end of the core edge of a complete tree, or alone. */
  public boolean halted() {
    return responses.halted;
  }

  /** For example {@code b: level 1 of a-b@7us, FIND, in-branch a-b@7us, branches [a-b@7us]}. */
  @Override
  public String toString() {
    if (!awake()) {
      return self + ": asleep";
    }
    return self
        + (": level " + level())
        + (fragment() == null ? "" : " of " + fragment())
        + (", " + phase())
        + (inBranch() == null ? "" : ", in-branch " + inBranch())
        + (", branches " + branches())
        + (deferred.isEmpty() ? "" : ", " + deferred.size() + " waiting")
        + (halted() ? ", halted" : "");
  }
}
