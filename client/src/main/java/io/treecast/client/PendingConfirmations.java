package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The confirmations that one client waits for. Each question is a call that stays open until
 * members have delivered, and a connection has 1,024 at most; so some questions at a time are
 * asked, in turns, since members that hang may keep an answer for an hour, and the agent has that
 * to another question long before. One whose time is over is asked at once: then the agent knows.
 *
 * <p>Agents keep an answer that nobody has asked for half a minute, and others while they have
 * room. They have no more than 4,096 broadcasts wait, all of which get a turn in less time.
 *
 * <p>Safe for use by several threads.
 */
final class PendingConfirmations {
  /**
   * Most questions asked at a time. Beside them there is room for as many broadcasts as an agent
   * lets one client have waiting.
   */
  static final int MAX_ASKED = 256;

  /** How long a question is asked at least, and at most twice, while others wait. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final AgentConnection connection;

  // Guarded by this.
  private final Turns<ConfirmationCall> turns = new Turns<>(MAX_ASKED, TURN_NANOS);
  private boolean isNextTurnSet;
  private @Nullable TreecastException closed;

  PendingConfirmations(AgentConnection connection) {
    this.connection = connection;
  }

  /**
   * Asks for the confirmation of a message, or fails if the client is closed.
   *
   * @param wait until the agent knows, and may have to be given {@link BroadcastCall#ANSWER_MARGIN}
   *     to say it
   */
  CompletableFuture<Confirmation> start(MessageId message, Duration wait) {
    ConfirmationCall call =
        new ConfirmationCall(
            connection, message, wait, connection.newBackoff(), this::hurry, this::release);
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

  private void hurry(ConfirmationCall call) {
    synchronized (this) {
      turns.hurry(call);
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
    takeTurns().forEach(ConfirmationCall::heedTurn);
  }

  /** Those whose turn it is now, or not any more. */
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

  /** Fails all that are pending, and all that come later. */
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
                + " was closed before there was a result: the broadcast was accepted, and who has"
                + " delivered it is unknown: do not send it again");
    open.forEach(call -> call.fail(early));
  }
}
