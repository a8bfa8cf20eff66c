package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The effects of an agent's relay: messages to neighbours on their data streams, events of
 * applications through the agent's own effects.
 *
 * @param send to a neighbour
 * @param mayGoAhead receives messages that were published here
 * @param replicated receives how many members have a message that was published here
 * @param violation handles a neighbour's breach of a rule, with the reason
 */
public record RelayEffects(
    AgentEffects effects,
    BiConsumer<NodeId, EdgeMessage> send,
    Consumer<Chunk> mayGoAhead,
    ObjIntConsumer<MessageId> replicated,
    BiConsumer<NodeId, String> violation)
    implements BroadcastEffects {
  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    send.accept(neighbour, message);
  }

  @Override
  public void mayGoAhead(Chunk message) {
    mayGoAhead.accept(message);
  }

  @Override
  public void began(long subscriber, List<MessageId> after) {
    effects.began(subscriber, after);
  }

  @Override
  public void live(long subscriber) {
    effects.live(subscriber);
  }

  @Override
  public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
    effects.deliver(subscriber, chunk, position);
  }

  @Override
  public void missed(long subscriber, Gap gap, MissedReason reason) {
    effects.missed(subscriber, gap, reason);
  }

  @Override
  public void abandoned(long subscriber, MessageId message) {
    effects.abandoned(subscriber, message);
  }

  @Override
  public void fellBehind(long subscriber) {
    effects.fellBehind(subscriber);
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    effects.confirmed(confirmation);
  }

  @Override
  public void uploadTaken(long upload, int pieces) {
    effects.uploadTaken(upload, pieces);
  }

  @Override
  public void replicated(MessageId message, int replicas) {
    replicated.accept(message, replicas);
  }

  @Override
  public void uploadEnded(long upload, int replicas) {
    effects.uploadEnded(upload, replicas);
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    violation.accept(neighbour, reason);
  }

  @Override
  public void dropped(NodeId neighbour, LogItem item) {
    effects.noticed(
        Notice.warning(
            Kind.STREAM_DROPPED,
            "no room for stream "
                + item.stream()
                + " from "
                + neighbour
                + ": what comes of it is dropped; raise limits.origins on all agents"));
  }
}
