package io.treecast.agent.core.publish;

import io.treecast.agent.core.link.AheadWindow;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Ahead;
import io.treecast.agent.core.message.PeerMessage.AheadHeard;
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
 * The links beside the tree by which this agent sends small broadcasts of its own ahead of it, and
 * what comes by those of others. They are chosen while something is published, by {@link
 * ShortcutChoice}, and anew when the tree is another one, or once in {@link #REVIEW_NANOS}.
 *
 * <p>What goes ahead goes on the control streams, which each link has, and little at a time ({@link
 * AheadWindow}); what finds no room there goes along the tree alone. So nothing has to be opened,
 * kept or closed for a shortcut, and nobody waits for one.
 */
public final class Shortcuts {
  /** How often it is looked whether links have changed. */
  static final long REVIEW_NANOS = 5_000_000_000L;

  private final NodeId self;
  private final int most;
  private final Links links;
  private final TreeDriver tree;
  private final BroadcastRelay relay;

  /** On which version of the tree, and when, these were chosen. */
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
  }

  /** Messages that were sent ahead of the tree, once for each member that they were sent to. */
  public long sentMessages() {
    return sentMessages;
  }

  /** This was published here, and its neighbours in the tree have been sent it. */
  public void mayGoAhead(Chunk message, long nowNanos) {
    if (most == 0) {
      return;
    }
    review(nowNanos);
    Ahead ahead = new Ahead(message);
    for (NodeId peer : chosen) {
      Link link = links.open(peer);
      if (link != null && !link.suspended && link.ahead.send(ahead)) {
        link.traffic.carried(AheadWindow.bytes(ahead), nowNanos);
        link.control.send(ahead);
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
      // Not its weight: that of a link beside the tree has in it what a change of the tree costs.
      long micros = link.suspended || !link.rttKnown(self) ? 0 : link.rttMicros();
      if (micros > 0) {
        rttMicros.put(link.peer, micros);
      }
    }
    chosen = ShortcutChoice.of(committed, self, rttMicros, most);
  }

  /**
   * Another agent has said this; false if it is not about what goes ahead, or is more than it was
   * sent.
   */
  public boolean received(Link link, PeerMessage message, long nowNanos) {
    if (message instanceof Ahead ahead) {
      link.traffic.carried(AheadWindow.bytes(ahead), nowNanos);
      relay.receivedAhead(link.peer, ahead.message());
      long heardBytes = link.ahead.received(ahead);
      if (heardBytes > 0) {
        link.control.send(new AheadHeard(heardBytes));
      }
      return true;
    }
    return message instanceof AheadHeard heard && link.ahead.heard(heard.bytes());
  }
}
