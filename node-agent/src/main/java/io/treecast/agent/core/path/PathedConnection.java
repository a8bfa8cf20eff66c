package io.treecast.agent.core.path;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.JoinPath;
import io.treecast.agent.core.message.PeerMessage.NamePaths;
import io.treecast.agent.core.message.PeerMessage.PathAck;
import io.treecast.agent.core.message.PeerMessage.PathMessage;
import io.treecast.agent.core.message.PeerMessage.PathProbe;
import io.treecast.agent.core.message.PeerMessage.PathReply;
import io.treecast.agent.core.message.PeerMessage.UsePath;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a control stream, which uses several paths and is a single connection to the core.
 *
 * <p>The stream begins on one connection, without messages about paths. If the other end has
 * addresses in several networks, both ends begin to count messages, and the dialer opens a
 * connection to each further address. Each end sends on one path. To change to another, it sends
 * {@link UsePath} there, followed by the messages that the other end has not confirmed. The dialer
 * chooses the path with the least round trip. Either end leaves a path that ends, or that is silent
 * while another one answers.
 */
final class PathedConnection implements Connection<PeerMessage> {
  /** The maximum number of paths: one for each network, and one for a seed with another address. */
  static final int MAX_PATHS = NetworkAddresses.MAX_NETWORKS + 1;

  /** A better path has less than three quarters of the round trip of the path in use. */
  private static final int BETTER_NUMERATOR = 3;

  private static final int BETTER_DENOMINATOR = 4;

  /** The round trip of a better path is also less by at least this time. */
  private static final long BETTER_NANOS = 200_000;

  /** The interval at which all paths are probed while the path in use is in doubt. */
  private static final long DOUBT_NANOS = 1_000_000_000;

  /**
   * After another path has answered, the path in use has one round trip more to answer, at least
   * this time.
   */
  private static final long LEAST_GRACE_NANOS = 50_000_000;

  /** The upper limit of that time. */
  private static final long MOST_GRACE_NANOS = 300_000_000;

  private enum Stage {
    /** The stream has one connection, and messages are not counted. */
    PLAIN,
    /** The dialer has sent NamePaths. */
    NAMING,
    /** Both ends count messages. */
    COUNTED
  }

  private final Paths all;
  private final boolean isDialed;
  private final List<Path> paths = new ArrayList<>();
  private final MessageCounts counts = new MessageCounts();

  /** Messages to send again to the next address, until the first message arrives. */
  private final List<PeerMessage> unanswered = new ArrayList<>();

  private Stage stage = Stage.PLAIN;

  /** The path on which this end sends. */
  private Path current;

  /** The path on which the other end sends. */
  private Path receiving;

  private @Nullable NodeId identified;
  private @Nullable Hello peer;
  private long link;
  private long lastChange;
  private long lastChangeThere;
  private boolean answered;
  private boolean closed;
  private long suspectedNanos = Path.NEVER;
  private long nextSuspectNanos = Path.NEVER;
  private long verdictNanos = Path.NEVER;
  private long notDecidedBeforeNanos = Long.MIN_VALUE;

  private PathedConnection(Paths all, boolean isDialed, Path first) {
    this.all = all;
    this.isDialed = isDialed;
    this.current = first;
    this.receiving = first;
    paths.add(first);
  }

  /** Returns a stream that another agent has opened. */
  static PathedConnection accepted(Paths all, Connection<PeerMessage> connection) {
    Path first = new Path("", connection.remoteAddress());
    first.connection = connection;
    return new PathedConnection(all, false, first);
  }

  /**
   * Opens a stream to the first of these addresses that answers.
   *
   * @param addresses the addresses by network, at least one
   */
  static PathedConnection dialed(Paths all, Map<String, String> addresses) {
    List<Path> paths = new ArrayList<>();
    addresses.forEach((network, address) -> paths.add(new Path(network, address)));
    PathedConnection stream = new PathedConnection(all, true, paths.get(0));
    stream.paths.addAll(paths.subList(1, paths.size()));
    stream.attempt(paths.get(0));
    return stream;
  }

  /** Dials an address while no address has answered. */
  private void attempt(Path path) {
    current = path;
    receiving = path;
    path.connection = all.dial(this, path.address);
    boolean isLast = path == paths.get(paths.size() - 1);
    path.dueNanos =
        isLast ? Path.NEVER : all.nowNanos() + all.handshakeTimeoutNanos() / paths.size();
    unanswered.forEach(path::send);
  }

  private @Nullable Path nextAttempt() {
    int next = paths.indexOf(current) + 1;
    return answered || next == paths.size() ? null : paths.get(next);
  }

  boolean isFresh() {
    return !isDialed && peer == null && stage == Stage.PLAIN;
  }

  // Methods that the core calls.

  @Override
  public void send(PeerMessage message) {
    if (closed) {
      return;
    }
    if (stage != Stage.PLAIN) {
      counts.sent(message);
      if (counts.areTooMany()) {
        all.changed();
      }
    } else if (isDialed && !answered && paths.size() > 1) {
      unanswered.add(message);
    }
    current.send(message);
  }

  @Override
  public void close() {
    end(Connection::close);
  }

  @Override
  public void abort() {
    end(Connection::abort);
  }

  private void end(Consumer<Connection<PeerMessage>> how) {
    if (closed) {
      return;
    }
    closed = true;
    for (Path path : paths) {
      Connection<PeerMessage> open = path.connection;
      if (open != null) {
        all.forget(open);
        how.accept(open);
      }
    }
    all.ended(this);
  }

  @Override
  public void identified(NodeId node) {
    identified = node;
    for (Path path : paths) {
      Connection<PeerMessage> open = path.connection;
      if (open != null) {
        open.identified(node);
      }
    }
  }

  @Override
  public String remoteAddress() {
    return remoteAddress(current);
  }

  private static String remoteAddress(Path path) {
    Connection<PeerMessage> open = path.connection;
    return open == null ? path.address : open.remoteAddress();
  }

  @Override
  public List<String> paths() {
    if (stage != Stage.COUNTED) {
      return List.of();
    }
    List<String> addresses = new ArrayList<>(List.of(remoteAddress()));
    for (Path path : paths) {
      if (path.joined && path != current) {
        addresses.add(remoteAddress(path));
      }
    }
    return addresses;
  }

  @Override
  public @Nullable String network() {
    return current.network.isEmpty() ? null : current.network;
  }

  @Override
  public void suspected() {
    long nowNanos = all.nowNanos();
    boolean isNew = suspectedNanos == Path.NEVER;
    if (closed || stage != Stage.COUNTED || !isNew || paths.size() < 2) {
      return;
    }
    suspect(nowNanos);
    for (Path path : paths) {
      if (path.connection == null) {
        path.dueNanos = Math.min(path.dueNanos, nowNanos);
      }
    }
    all.changed();
  }

  private void suspect(long nowNanos) {
    suspectedNanos = nowNanos;
    probeAll(nowNanos);
  }

  private void probeAll(long nowNanos) {
    for (Path path : paths) {
      if (path.joined) {
        path.probe(counts.reportReceived(), nowNanos);
      }
    }
    nextSuspectNanos = nowNanos + DOUBT_NANOS;
  }

  private void suspicionEnded() {
    suspectedNanos = Path.NEVER;
    nextSuspectNanos = Path.NEVER;
    verdictNanos = Path.NEVER;
  }

  // Received messages.

  private @Nullable Path pathOf(Connection<PeerMessage> connection) {
    for (Path path : paths) {
      if (path.connection == connection) {
        return path;
      }
    }
    return null;
  }

  /** Handles a message on one of its connections. */
  void received(Connection<PeerMessage> connection, PeerMessage message) {
    Path path = pathOf(connection);
    if (closed || path == null) {
      return;
    }
    received(path);
    if (message instanceof PathMessage ofPath) {
      String problem = receivedOfPath(path, ofPath);
      if (problem != null) {
        broke(problem);
      }
    } else if (stage == Stage.COUNTED) {
      receivedCounted(path, message);
    } else {
      answered = true;
      unanswered.clear();
      path.dueNanos = Path.NEVER;
      if (message instanceof Hello hello) {
        greeted(hello);
      }
      all.received(this, message);
    }
  }

  private void received(Path path) {
    path.lastReceivedNanos = all.nowNanos();
    if (suspectedNanos == Path.NEVER || !path.joined) {
      return;
    }
    if (hasReceived(current)) {
      suspicionEnded();
    } else if (verdictNanos == Path.NEVER) {
      long grace = Math.min(MOST_GRACE_NANOS, Math.max(LEAST_GRACE_NANOS, current.rttNanos()));
      verdictNanos = Math.max(all.nowNanos() + grace, notDecidedBeforeNanos);
    }
  }

  /** Returns whether a message has arrived on a path since the doubt began. */
  private boolean hasReceived(Path path) {
    return path.joined && path.lastReceivedNanos >= suspectedNanos;
  }

  private void receivedCounted(Path path, PeerMessage message) {
    if (path != receiving || !counts.arrived()) {
      return; // It is a repetition, or will be repeated on the path in use.
    }
    if (counts.isConfirmationDue()) {
      current.send(new PathAck(counts.reportReceived()));
    }
    all.received(this, message);
  }

  /** Handles the other end's Hello: the dialer takes its further addresses as paths. */
  private void greeted(Hello hello) {
    peer = hello;
    boolean isOther = !hello.node().equals(all.self().node());
    if (!isDialed
        || stage != Stage.PLAIN
        || !isOther
        || !NetworkAddresses.areSeveral(hello.address())
        || !NetworkAddresses.areDialable(hello.address())) {
      return;
    }
    paths.removeIf(path -> path != current);
    NetworkAddresses.toDial(all.self().address(), hello.address())
        .forEach(
            (network, address) -> {
              if (address.equals(current.address)) {
                current.network = network;
              } else {
                paths.add(new Path(network, address));
              }
            });
    link = all.nextLink();
    stage = Stage.NAMING;
    current.send(new NamePaths(link, current.network));
  }

  private @Nullable String receivedOfPath(Path path, PathMessage message) {
    if (message instanceof NamePaths names) {
      return named(names);
    }
    if (stage != Stage.COUNTED) {
      return message.getClass().getSimpleName() + " arrived before the paths had names";
    }
    if (message instanceof JoinPath join) {
      return joined(path, join);
    }
    if (!path.joined) {
      return message.getClass().getSimpleName() + " arrived on a path that has not joined";
    }
    if (message instanceof PathProbe probe) {
      path.send(new PathReply(probe.number(), counts.reportReceived()));
      return confirmed(probe.received());
    }
    if (message instanceof PathReply reply) {
      path.replied(reply.number(), isDialed, all.nowNanos());
      String problem = confirmed(reply.received());
      takeBest(path);
      return problem;
    }
    if (message instanceof UsePath use) {
      return used(path, use);
    }
    return message instanceof PathAck ack ? confirmed(ack.received()) : null;
  }

  private @Nullable String confirmed(long received) {
    return counts.confirm(received)
        ? null
        : "it confirms " + received + " messages, more than were sent";
  }

  private @Nullable String named(NamePaths names) {
    long nowNanos = all.nowNanos();
    if (isDialed && stage == Stage.NAMING && names.link() == link) {
      stage = Stage.COUNTED;
      current.join(true, nowNanos);
      for (Path path : paths) {
        if (path != current) {
          path.dueNanos = nowNanos;
        }
      }
      all.pathsChanged(this, false);
      return null;
    }
    Hello hello = peer;
    if (isDialed || stage != Stage.PLAIN || hello == null) {
      return "NamePaths arrived out of order";
    }
    stage = Stage.COUNTED;
    link = names.link();
    current.network = names.network();
    current.join(false, nowNanos);
    all.named(this, new StreamName(hello.node(), hello.incarnation(), link));
    current.send(names);
    return null;
  }

  /** Handles the answer on a connection that this end has dialed. */
  private @Nullable String joined(Path path, JoinPath join) {
    Hello hello = peer;
    if (!isDialed || path.joined || hello == null) {
      return "JoinPath arrived out of order";
    }
    if (!join.node().equals(hello.node()) || join.incarnation() != hello.incarnation()) {
      lose(path); // Another agent has answered.
      return null;
    }
    path.join(true, all.nowNanos());
    all.pathsChanged(this, false);
    return null;
  }

  /** Adds a further connection that the other end has dialed; returns false if it may not join. */
  boolean join(Connection<PeerMessage> connection, String network) {
    if (closed || stage != Stage.COUNTED || isDialed || paths.size() >= MAX_PATHS) {
      return false;
    }
    Path path = new Path(network, connection.remoteAddress());
    path.connection = connection;
    path.join(false, all.nowNanos());
    paths.add(path);
    NodeId node = identified;
    if (node != null) {
      connection.identified(node);
    }
    path.send(new JoinPath(all.self().node(), all.self().incarnation(), link, network));
    all.pathsChanged(this, false);
    return true;
  }

  private @Nullable String used(Path path, UsePath use) {
    String problem = confirmed(use.received());
    if (problem != null) {
      return problem;
    }
    if (use.change() <= lastChangeThere) {
      return null; // A later change has overtaken it on another path.
    }
    lastChangeThere = use.change();
    if (!counts.continueFrom(use.from())) {
      return "it continues with message " + use.from() + ", out of order";
    }
    boolean isFollowed = receiving == current;
    receiving = path;
    if (!use.follows() && path != current && (isFollowed || !isDialed)) {
      use(path, true); // If both ends choose at the same time, the dialer's choice wins.
    }
    return null;
  }

  // The choice of the path.

  private void use(Path path, boolean follows) {
    current = path;
    path.send(
        new UsePath(++lastChange, counts.firstUnconfirmed(), counts.reportReceived(), follows));
    counts.unconfirmed().forEach(path::send);
    all.moved();
    suspicionEnded();
    if (!follows) {
      suspect(all.nowNanos()); // The new path must answer; otherwise this end leaves it again.
    }
  }

  /** Changes to a much better path once it has just answered. Only the dialer does so. */
  private void takeBest(Path replied) {
    if (!isDialed || paths.stream().anyMatch(path -> path.joined && !path.isMeasured())) {
      return;
    }
    Path best = best(current, Long.MIN_VALUE);
    long rttNanos = current.rttNanos();
    if (best == null
        || !current.joined
        || best.rttNanos() >= rttNanos / BETTER_DENOMINATOR * BETTER_NUMERATOR
        || rttNanos - best.rttNanos() < BETTER_NANOS) {
      return;
    }
    if (best == replied) {
      use(best, false);
    } else {
      best.probe(counts.reportReceived(), all.nowNanos());
    }
  }

  /**
   * Returns the best other path on which a message has arrived since then; null if there is none.
   */
  private @Nullable Path best(Path except, long heardSinceNanos) {
    Path best = null;
    for (Path path : paths) {
      boolean isThere = path.joined && path != except && path.lastReceivedNanos >= heardSinceNanos;
      if (isThere && (best == null || path.rttNanos() < best.rttNanos())) {
        best = path;
      }
    }
    return best;
  }

  // Failures.

  /** Handles the end of one of its connections. */
  void closed(Connection<PeerMessage> connection, String reason) {
    Path path = pathOf(connection);
    if (closed || path == null) {
      return;
    }
    Path next = nextAttempt();
    if (isDialed && next != null && path == current) {
      path.connection = null;
      attempt(next);
      return;
    }
    if (stage != Stage.COUNTED) {
      broke(reason);
      return;
    }
    Path other = path == current ? best(current, Long.MIN_VALUE) : current;
    if (other == null) {
      broke(reason);
      return;
    }
    boolean wasUsed = path == current;
    if (wasUsed) {
      use(other, false);
    }
    gone(path, wasUsed);
  }

  private void lose(Path path) {
    Connection<PeerMessage> open = path.connection;
    if (open != null) {
      all.forget(open);
      open.abort();
    }
    gone(path, path.joined);
  }

  /**
   * Drops the connection of a path.
   *
   * @param isLoss whether a data stream on that path may be broken without a sign
   */
  private void gone(Path path, boolean isLoss) {
    boolean wasJoined = path.joined;
    path.failed(all.nowNanos());
    if (!isDialed) {
      paths.remove(path);
    }
    if (wasJoined) {
      all.pathsChanged(this, isLoss);
    }
  }

  /** Ends the whole stream. */
  private void broke(String reason) {
    end(Connection::close);
    all.closed(this, reason);
  }

  // Deadlines.

  long nextDeadlineNanos() {
    if (stage != Stage.COUNTED) {
      return nextAttempt() == null ? Path.NEVER : current.dueNanos;
    }
    long next = Math.min(nextSuspectNanos, verdictNanos);
    for (Path path : paths) {
      next = Math.min(next, path.nextDeadlineNanos());
    }
    return counts.areTooMany() ? Long.MIN_VALUE : next;
  }

  void tick(long nowNanos) {
    if (stage != Stage.COUNTED) {
      Path next = nextAttempt();
      Connection<PeerMessage> silent = current.connection;
      if (next != null && current.dueNanos <= nowNanos && silent != null) {
        all.forget(silent);
        silent.abort();
        current.connection = null;
        attempt(next);
      }
      return;
    }
    if (counts.areTooMany()) {
      broke("the other end has left more than " + MessageCounts.MAX_KEPT + " messages unconfirmed");
      return;
    }
    if (verdictNanos <= nowNanos) {
      decide();
    } else if (nextSuspectNanos <= nowNanos) {
      probeAll(nowNanos);
    }
    for (Path path : List.copyOf(paths)) {
      tick(path, nowNanos);
    }
  }

  /** The path in use has not answered, and another one has. */
  private void decide() {
    Path silent = current;
    Path other = best(silent, suspectedNanos);
    if (other == null) {
      verdictNanos = Path.NEVER;
      return;
    }
    notDecidedBeforeNanos = all.nowNanos() + DOUBT_NANOS;
    use(other, false);
    lose(silent);
  }

  private void tick(Path path, long nowNanos) {
    if (path.isSilent(nowNanos)) {
      judge(path, nowNanos);
    } else if (path.isProbeDue(nowNanos)) {
      path.probe(counts.reportReceived(), nowNanos);
    } else if (!path.joined && path.dueNanos <= nowNanos) {
      if (path.connection == null) {
        dialAgain(path, nowNanos);
      } else {
        lose(path);
      }
    }
  }

  private void dialAgain(Path path, long nowNanos) {
    Connection<PeerMessage> connection = all.dial(this, path.address);
    path.connection = connection;
    path.dueNanos = nowNanos + all.handshakeTimeoutNanos();
    NodeId node = identified;
    if (node != null) {
      connection.identified(node);
    }
    Hello self = all.self();
    path.send(new JoinPath(self.node(), self.incarnation(), link, path.network));
  }

  /**
   * Handles a silent path. It is dropped if messages arrive on the path in use; otherwise all paths
   * may be silent.
   */
  private void judge(Path path, long nowNanos) {
    if (path != current && current.hasReceivedSinceProbeOf(path)) {
      lose(path);
      return;
    }
    boolean isOnlySilent =
        path == current
            && paths.stream()
                .anyMatch(other -> other != path && other.hasReceivedSinceProbeOf(path));
    path.probe(counts.reportReceived(), nowNanos);
    if (isOnlySilent) {
      suspected();
    }
  }

  @Override
  public String toString() {
    return "control stream to " + remoteAddress();
  }
}
