package io.treecast.agent.core.data;

import io.treecast.agent.core.message.DataMessage.ClaimParcel;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.claim.ClaimEffects;
import io.treecast.collectives.claim.ClaimEnd;
import io.treecast.collectives.claim.ClaimMemory;
import io.treecast.collectives.claim.ClaimMessage;
import io.treecast.collectives.claim.ClaimState;
import io.treecast.collectives.claim.Claims;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Runs the claims service of an agent, and routes its messages along the committed tree. Messages
 * without a route, and those above a rate limit, are dropped; the claims service repeats them.
 */
public final class ClaimPost implements TreeService {
  /** The maximum number of messages to one neighbour in a second; further ones are dropped. */
  private static final int MAX_A_SECOND = 2_000;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final NodeId self;
  private final BiConsumer<NodeId, ServiceMessage> send;
  private final Claims claims;
  private final Set<NodeId> streams = new HashSet<>();

  /** The next hop to each member of the committed tree. */
  private final Map<NodeId, NodeId> ways = new HashMap<>();

  /** The number of messages sent in this second, by neighbour. */
  private final Map<NodeId, Integer> sent = new HashMap<>();

  private long secondNanos;
  private long nowNanos;

  /**
   * Creates the service without claims.
   *
   * @param send sends a message to a neighbour
   */
  public ClaimPost(CoreConfig config, ClaimSetup setup, BiConsumer<NodeId, ServiceMessage> send) {
    this.self = config.self();
    this.send = send;
    this.claims =
        new Claims(self, config.incarnation(), setup.limits(), setup.memory(), new Effects(setup));
  }

  /** Starts the service; must be the first call. */
  public void start(long nowNanos) {
    this.nowNanos = nowNanos;
    this.secondNanos = nowNanos;
    claims.start(nowNanos);
  }

  /** Returns the claims, for a call at this time. */
  public Claims at(long nowNanos) {
    this.nowNanos = nowNanos;
    return claims;
  }

  @Override
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    ways.clear();
    for (NodeId neighbour : tree.neighbours(self)) {
      ways.put(neighbour, neighbour);
      ArrayDeque<NodeId> behind = new ArrayDeque<>();
      behind.add(neighbour);
      for (NodeId member = behind.poll(); member != null; member = behind.poll()) {
        for (NodeId next : tree.neighbours(member)) {
          if (!next.equals(self) && ways.putIfAbsent(next, neighbour) == null) {
            behind.add(next);
          }
        }
      }
    }
    at(nowNanos).treeCommitted(tree.members(), nowNanos);
  }

  @Override
  public void streamOpened(NodeId neighbour, long nowNanos) {
    streams.add(neighbour);
    at(nowNanos).membersReachable(nowNanos);
  }

  @Override
  public void streamClosed(NodeId neighbour) {
    streams.remove(neighbour);
    sent.remove(neighbour);
  }

  @Override
  public boolean received(NodeId neighbour, ServiceMessage message, long nowNanos) {
    if (!(message instanceof ClaimParcel parcel)) {
      return false;
    }
    this.nowNanos = nowNanos;
    if (parcel.to().equals(self)) {
      claims.received(parcel.from(), parcel.message(), nowNanos);
    } else if (parcel.hops() > 0) {
      pass(
          new ClaimParcel(parcel.from(), parcel.to(), parcel.hops() - 1, parcel.message()),
          neighbour);
    }
    return true;
  }

  /** Forwards a message, but not back to the neighbour that it came from. */
  private void pass(ClaimParcel parcel, NodeId from) {
    NodeId next = ways.get(parcel.to());
    if (next == null || next.equals(from) || !streams.contains(next)) {
      return;
    }
    if (nowNanos - secondNanos >= SECOND_NANOS) {
      secondNanos = nowNanos;
      sent.clear();
    }
    if (sent.merge(next, 1, Integer::sum) <= MAX_A_SECOND) {
      send.accept(next, parcel);
    }
  }

  @Override
  public void tick(long nowNanos) {
    at(nowNanos).tick(nowNanos);
  }

  @Override
  public long nextDeadlineNanos() {
    return claims.nextDeadlineNanos();
  }

  private final class Effects implements ClaimEffects {
    private final ClaimSetup setup;

    Effects(ClaimSetup setup) {
      this.setup = setup;
    }

    @Override
    public void send(NodeId member, ClaimMessage message) {
      pass(new ClaimParcel(self, member, ClaimParcel.MAX_HOPS, message), self);
    }

    @Override
    public void store(ClaimMemory memory) {
      setup.events().store(memory);
    }

    @Override
    public void held(long call, long number, long fence, long remainingNanos) {
      setup.events().held(call, number, fence, remainingNanos);
    }

    @Override
    public void ended(long call, ClaimEnd end) {
      setup.events().ended(call, end);
    }

    @Override
    public void answered(long inquiry, ClaimState state) {
      setup.events().answered(inquiry, state);
    }
  }
}
