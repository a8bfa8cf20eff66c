package io.treecast.agent.core.publish;

import io.treecast.agent.core.data.ReceiptClock;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.link.ShortcutWindow;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.ShortcutAck;
import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends copies of this agent's small broadcasts ahead of the tree on shortcuts, which are links
 * beside the tree, and receives the copies of others. {@link ShortcutChoice} chooses the shortcuts
 * when a broadcast is published: for each new tree, and at most once in {@link #REVIEW_NANOS}.
 *
 * <p>Copies use the control streams, which each link has, within a small window ({@link
 * ShortcutWindow}). A message without room in the window goes along the tree only. So a shortcut
 * needs no stream of its own, and publishers never wait for one.
 */
public final class Shortcuts {
  /** The interval at which the choice is repeated while the tree stays the same. */
  static final long REVIEW_NANOS = 5_000_000_000L;

  private final NodeId self;
  private final int most;
  private final Links links;
  private final TreeDriver tree;
  private final BroadcastRelay relay;
  private final ReceiptClock clock;

  /** The version of the tree for which the shortcuts were chosen. */
  private long chosenVersion;

  private long chosenNanos;
  private List<NodeId> chosen = List.of();
  private long sentMessages;

  public Shortcuts(CoreConfig config, Links links, TreeDriver tree, BroadcastRelay relay) {
    this.self = config.self();
    this.most = config.overlay().shortcuts();
    this.links = links;
    this.tree = tree;
    this.relay = relay;
    this.clock = new ReceiptClock(self);
  }

  /** Returns the number of copies sent ahead of the tree, counted for each receiver. */
  public long sentMessages() {
    return sentMessages;
  }

  /** Handles a message that was published at this agent and sent to the neighbours in the tree. */
  public void maySendByShortcut(Chunk message, long nowNanos) {
    if (most == 0) {
      return;
    }
    review(nowNanos);
    for (NodeId peer : chosen) {
      Link link = links.open(peer);
      ShortcutCopy shortcut =
          new ShortcutCopy(link == null ? message : clock.sent(link, message, nowNanos));
      if (link != null && !link.suspended && link.shortcut.send(shortcut)) {
        link.traffic.carried(ShortcutWindow.bytes(shortcut), nowNanos);
        link.control.send(shortcut);
        sentMessages++;
      }
    }
  }

  private void review(long nowNanos) {
    CommittedTree committed = tree.tree();
    if (committed == null
        || (committed.version() == chosenVersion && nowNanos - chosenNanos < REVIEW_NANOS)) {
      return;
    }
    chosenVersion = committed.version();
    chosenNanos = nowNanos;
    Map<NodeId, Long> rttMicros = new HashMap<>();
    for (Link link : links.open()) {
      // The weight is unsuitable: beside the tree it includes the cost of a change of the tree.
      long micros = link.suspended || !link.rttKnown(self) ? 0 : link.rttMicros();
      if (micros > 0) {
        rttMicros.put(link.peer, micros);
      }
    }
    chosen = ShortcutChoice.of(committed, self, rttMicros, most);
  }

  /**
   * Handles a message about shortcuts; returns false if it is of another kind, or exceeds the
   * window.
   */
  public boolean received(Link link, PeerMessage message, long nowNanos) {
    if (message instanceof ShortcutCopy shortcut) {
      link.traffic.carried(ShortcutWindow.bytes(shortcut), nowNanos);
      relay.receivedByShortcut(link.peer, clock.received(link, shortcut.message(), nowNanos));
      long bytesToAcknowledge = link.shortcut.received(shortcut);
      if (bytesToAcknowledge > 0) {
        link.control.send(new ShortcutAck(bytesToAcknowledge));
      }
      return true;
    }
    return message instanceof ShortcutAck ack && link.shortcut.acknowledged(ack.bytes());
  }
}
