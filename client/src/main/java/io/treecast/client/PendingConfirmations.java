package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The confirmations for which a client waits. Each query is a call that stays open until members
 * have delivered, and a connection has 1,024 calls at most. So only some queries are open at a
 * time, in turns: a hanging member may delay one answer for an hour, while the agent has that of
 * another query long before. A query that has timed out is sent at once, because the agent then
 * knows its answer.
 *
 * <p>Agents keep an answer for at least half a minute without a query, and longer while they have
 * room. They keep at most 4,096 waiting broadcasts, which all get a turn in less time.
 *
 * <p>Safe for use by several threads.
 */
final class PendingConfirmations {
  /**
   * The limit of open queries, which leaves room for as many broadcasts as an agent accepts from
   * one client.
   */
  static final int MAX_ASKED = 256;

  /** The minimum time for which a query stays open while others wait; the maximum is twice that. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final AgentConnection connection;

  // Guarded by this.
  private final RotatingSlots<ConfirmationCall> turns = new RotatingSlots<>(MAX_ASKED, TURN_NANOS);
  private boolean isNextTurnSet;
  private @Nullable TreecastException closed;

  PendingConfirmations(AgentConnection connection) {
    this.connection = connection;
  }

  /**
   * Waits for the confirmation of a message; fails if the client is closed.
   *
   * @param wait the time until the agent knows the confirmation; its answer has {@link
   *     BroadcastCall#ANSWER_MARGIN} more
   */
  CompletableFuture<Confirmation> start(MessageId message, Duration wait) {
    ConfirmationCall call =
        new ConfirmationCall(
            connection, message, wait, connection.newBackoff(), this::prioritize, this::release);
    TreecastException refusal = admit(call);
    if (refusal == null) {
      call.start();
      passOn();
    } else {
      call.fail(refusal);
    }
    return call.result();
  }

  private synchronized @Nullable TreecastException admit(ConfirmationCall call) {
    if (closed == null) {
      turns.join(call);
    }
    return closed;
  }

  private void prioritize(ConfirmationCall call) {
    synchronized (this) {
      turns.prioritize(call);
    }
    passOn();
  }

  private void release(ConfirmationCall call) {
    synchronized (this) {
      turns.leave(call);
    }
    passOn();
  }

  private void passOn() {
    takeTurns().forEach(ConfirmationCall::turnChanged);
  }

  /** Returns the queries that have got or lost a turn. */
  private synchronized List<ConfirmationCall> takeTurns() {
    if (closed != null) {
      return List.of();
    }
    List<ConfirmationCall> changed = turns.passOn(System.nanoTime());
    changed.forEach(call -> call.setTurn(turns.hasPlace(call)));
    if (turns.isAnyWaiting() && !isNextTurnSet) {
      isNextTurnSet = true;
      var unused = connection.schedule(this::nextTurn, TURN_NANOS);
    }
    return changed;
  }

  private void nextTurn() {
    synchronized (this) {
      isNextTurnSet = false;
    }
    passOn();
  }

  /** Fails all pending queries, and all later ones. */
  void close(TreecastException why) {
    List<ConfirmationCall> open;
    synchronized (this) {
      closed = why;
      open = turns.all();
    }
    TreecastException early =
        new TreecastException(
            Reason.CLOSED,
            "the client of agent "
                + connection.agent()
                + " was closed before there was a result: the broadcast was accepted, and the"
                + " members that delivered it are unknown: do not send it again");
    open.forEach(call -> call.fail(early));
  }
}
