package io.treecast.ghs.paper;

import static io.treecast.ghs.paper.Responses.Outcome.DONE;
import static io.treecast.ghs.paper.Responses.Outcome.MUST_WAIT;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.paper.PaperMessage.Phase;
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
 * One node of the distributed algorithm of Gallager, Humblet and Spira.
 *
 * <p>At first each node is a fragment of level 0. The nodes of a fragment search together for its
 * minimum outgoing edge: the two ends of its core edge send Initiate down the tree, each node tests
 * its own links in order of weight, and Report brings the minimum back to the core. The root of the
 * fragment then moves to that edge and sends Connect over it. Two fragments of equal level that
 * chose the same edge merge into one of the next level, with that edge as its core. A fragment of
 * lower level is absorbed. A fragment of level L has at least 2^L nodes. When no edge leaves the
 * fragment, both ends of its core edge halt.
 *
 * <p>To use it, create a node for each end of the links, {@link #wake} at least one node of each
 * connected component, carry the messages that {@link Effects#send} receives to the {@link
 * #receive} of the addressee, and stop when no message is in flight. Then {@link #branches} is the
 * node's part of the minimum spanning tree, and {@link Effects#halted} has received the whole tree.
 *
 * <p>Three things differ from the paper:
 *
 * <ul>
 *   <li>A report without an outgoing edge lists the branches below its sender, so that the core
 *       knows the whole tree when it halts. The number of messages is the same.
 *   <li>A node serves the messages that were deferred until its new level before it tests a link.
 *       This saves Tests and Rejects: on the reference network the build takes 782 messages instead
 *       of 794.
 *   <li>The in-branch turns when the root moves, not with the Initiate that follows. In between,
 *       only {@link Contract} uses it, so the messages are the same.
 * </ul>
 *
 * <p>This class is the node's mailbox. It refuses messages that no correct neighbour sends ({@link
 * Contract}), lets the algorithm respond ({@link Responses}), and keeps the deferred messages.
 *
 * <p>Links must deliver each message once and, per direction, in the order of sending. A node is
 * confined to one thread at a time; {@link Effects} must not call back into it.
 */
public final class PaperNode {
  /** The highest level of a fragment. */
  public static final int MAX_LEVEL = 20;

  /** The most nodes of a network. It bounds the levels, and the lists of branches in a Report. */
  public static final int MAX_NODES = 1 << MAX_LEVEL;

  /** Receives the effects of a node, in the order in which they happen, during calls to it. */
  public interface Effects {
    void send(NodeId neighbour, PaperMessage message);

    /**
     * No edge leaves the fragment: the tree is complete. Called once at each end of the core edge,
     * or at a node without links.
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

  /** The deferred messages in order of arrival; at most one of each link, see {@link Contract}. */
  private final Map<Link, PaperMessage> deferred = new LinkedHashMap<>();

  /**
   * A sleeping node.
   *
   * @param links its links, which never change; both ends must hold the same weights
   * @throws IllegalArgumentException if a link does not end at this node, or two lead to the same
   *     neighbour
   */
  public PaperNode(NodeId self, Collection<LinkWeight> links, Effects effects) {
    this.self = self;
    this.links = new Links(self, links);
    this.responses = new Responses(self, this.links, effects);
  }

  /** Wakes up, unless awake. */
  public void wake() {
    responses.wakeUp();
  }

  /**
   * Handles a message, and then the deferred messages that it makes due. Connect and Test wake a
   * sleeping node.
   *
   * @throws PaperViolation if no correct neighbour sends it in this state; the node is unchanged
   */
  public void receive(NodeId from, PaperMessage message) {
    Link link = links.to(from);
    if (link == null) {
      throw new PaperViolation(self, from, message, "it is not a neighbour");
    }
    new Contract(responses, link, deferred.containsKey(link))
        .breach(message)
        .ifPresent(
            reason -> {
              throw new PaperViolation(self, from, message, reason);
            });
    if (responses.to(message, link) == MUST_WAIT) {
      deferred.put(link, message);
    } else {
      serveDeferred();
      responses.startSearchIfDue();
      serveDeferred();
    }
  }

  /** Each deferred message may have become due, and each one served may make another one due. */
  private void serveDeferred() {
    boolean progress = !deferred.isEmpty();
    while (progress) {
      progress = false;
      for (Iterator<Map.Entry<Link, PaperMessage>> i = deferred.entrySet().iterator();
          i.hasNext(); ) {
        Map.Entry<Link, PaperMessage> waiting = i.next();
        if (responses.to(waiting.getValue(), waiting.getKey()) == DONE) {
          i.remove();
          progress = true;
        }
      }
    }
  }

  /** Whether it has woken up. */
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

  /** Its edges of the tree so far, including one over which its Connect is unanswered. */
  public SortedSet<LinkWeight> branches() {
    SortedSet<LinkWeight> weights = new TreeSet<>();
    links.branches().forEach(branch -> weights.add(branch.weight()));
    return Collections.unmodifiableSortedSet(weights);
  }

  /** The branch towards the core of its fragment; null without links and while asleep. */
  public @Nullable LinkWeight inBranch() {
    Link link = responses.inBranch;
    return link == null ? null : link.weight();
  }

  /** The number of deferred messages: at most one for each link. */
  public int deferredCount() {
    return deferred.size();
  }

  /** The number of messages of a kind that this node has sent. */
  public long sent(PaperMessage.Kind kind) {
    return responses.sent.getOrDefault(kind, 0L);
  }

  /** The number of messages that this node has sent, of all kinds. */
  public long sent() {
    return responses.sent.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether it knows that the tree is complete: it is an end of the core edge, or has no links. */
  public boolean halted() {
    return responses.halted;
  }

  /** For example {@code b: level 1 of a-b@7, FIND, in-branch a-b@7, branches [a-b@7]}. */
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
