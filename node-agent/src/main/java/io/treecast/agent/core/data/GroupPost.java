package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.message.DataMessage.GroupParcel;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.collectives.group.GroupEffects;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.group.Groups;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Runs the groups service of an agent. Messages above a rate limit are deferred to the next second,
 * and then sent as one message for each changed group.
 */
public final class GroupPost implements TreeService {
  /** The maximum number of messages to one neighbour in a second. */
  private static final int MAX_A_SECOND = 1_000;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final AgentEffects effects;
  private final BiConsumer<NodeId, ServiceMessage> send;
  private final BiConsumer<NodeId, String> violation;
  private final Groups groups;

  /** The number of messages sent in this second, by neighbour. */
  private final Map<NodeId, Integer> sent = new TreeMap<>();

  private long secondNanos;
  private long againNanos;
  private boolean hasChanged;
  private long sentMessages;

  /**
   * Creates the service without groups.
   *
   * @param effects receives views
   * @param send sends a message to a neighbour
   * @param violation handles a protocol violation of a neighbour, with the reason
   */
  public GroupPost(
      NodeId self,
      AgentEffects effects,
      BiConsumer<NodeId, ServiceMessage> send,
      BiConsumer<NodeId, String> violation) {
    this.effects = effects;
    this.send = send;
    this.violation = violation;
    this.groups = new Groups(self, new Effects());
  }

  /** Returns the groups, for a call at this time. */
  public Groups at(long nowNanos) {
    if (nowNanos - secondNanos >= SECOND_NANOS) {
      secondNanos = nowNanos;
      sent.clear();
    }
    if (!groups.hasPending()) {
      againNanos = nowNanos + SECOND_NANOS;
    }
    return groups;
  }

  /** Returns the number of group messages that this agent has sent. */
  public long sentMessages() {
    return sentMessages;
  }

  /** Returns whether this member will call no further operations of a view. */
  public boolean isOver(GroupView.Id view) {
    return groups.isOver(view);
  }

  /** Returns whether a view may have ended since the last call. */
  public boolean hasChanged() {
    boolean changed = hasChanged;
    hasChanged = false;
    return changed;
  }

  @Override
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    hasChanged = true;
    at(nowNanos).treeCommitted(tree);
  }

  @Override
  public void streamOpened(NodeId neighbour, long nowNanos) {
    at(nowNanos).opened(neighbour);
  }

  @Override
  public void streamClosed(NodeId neighbour) {
    groups.closed(neighbour);
    sent.remove(neighbour);
  }

  @Override
  public boolean received(NodeId neighbour, ServiceMessage message, long nowNanos) {
    if (!(message instanceof GroupParcel ofGroups)) {
      return false;
    }
    at(nowNanos).received(neighbour, ofGroups.message());
    return true;
  }

  @Override
  public void tick(long nowNanos) {
    if (nextDeadlineNanos() <= nowNanos) {
      againNanos = nowNanos + SECOND_NANOS;
      at(nowNanos).retry();
    }
  }

  @Override
  public long nextDeadlineNanos() {
    return groups.hasPending() ? againNanos : Long.MAX_VALUE;
  }

  private final class Effects implements GroupEffects {
    @Override
    public boolean hasRoom(NodeId neighbour) {
      return sent.getOrDefault(neighbour, 0) < MAX_A_SECOND;
    }

    @Override
    public void send(NodeId neighbour, GroupMessage message) {
      sent.merge(neighbour, 1, Integer::sum);
      sentMessages++;
      send.accept(neighbour, new GroupParcel(message));
    }

    @Override
    public void viewChanged(GroupView view) {
      hasChanged = true;
      effects.groupChanged(view);
    }

    @Override
    public void listed(long question, GroupList list) {
      effects.groupsListed(question, list);
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      violation.accept(neighbour, reason);
    }
  }
}
