package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * The effects of an agent's broadcast relay, except those on applications: messages to neighbours
 * and notices.
 *
 * @param notices receives a warning for each dropped stream
 * @param send sends a message to a neighbour
 * @param maySendByShortcut receives messages that were published at this agent
 * @param replicated receives the number of members that have a message published at this agent
 * @param violation handles a protocol violation of a neighbour, with the reason
 */
public record RelayEffects(
    Consumer<Notice> notices,
    BiConsumer<NodeId, EdgeMessage> send,
    Consumer<Chunk> maySendByShortcut,
    ObjIntConsumer<MessageId> replicated,
    BiConsumer<NodeId, String> violation)
    implements BroadcastEffects {
  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    send.accept(neighbour, message);
  }

  @Override
  public void maySendByShortcut(Chunk message) {
    maySendByShortcut.accept(message);
  }

  @Override
  public void replicated(MessageId message, int replicas) {
    replicated.accept(message, replicas);
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    violation.accept(neighbour, reason);
  }

  @Override
  public void dropped(NodeId neighbour, LogItem item) {
    notices.accept(
        Notice.warning(
            Kind.STREAM_DROPPED,
            ("no room for stream %s from %s: its messages are dropped; raise limits.origins "
                    + "on all agents")
                .formatted(item.stream(), neighbour)));
  }
}
