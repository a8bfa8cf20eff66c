package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The confirmations that one client waits for. Each question is a call that stays open until
 * members have delivered, and a connection has 1,024 at most; so some questions at a time are
 * asked, and the others when one of these is answered. Agents keep an answer for half a minute, so
 * they do not come too late.
 *
 * <p>Safe for use by several threads.
 */
final class PendingConfirmations {
  /**
   * Most questions asked at a time. Beside them there is room for as many broadcasts as an agent
   * lets one client have waiting.
   */
  static final int MAX_ASKED = 256;

  private final AgentConnection connection;
  private final ClientSettings settings;
  private final Set<ConfirmationCall> pending = new LinkedHashSet<>();

  /** Of the pending, those whose turn has not come. */
  private final Set<ConfirmationCall> waiting = new LinkedHashSet<>();

  private @Nullable TreecastException closed;

  PendingConfirmations(AgentConnection connection, ClientSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  /** Asks for the confirmation of a message, or fails if the client is closed. */
  CompletableFuture<Confirmation> start(MessageId message, Duration wait) {
    ConfirmationCall call =
        new ConfirmationCall(
            connection, message, wait, AgentConnection.newBackoff(settings), this::release);
    TreecastException refusal = admit(call);
    if (refusal == null) {
      call.start();
      askNext();
    } else {
      call.fail(refusal);
    }
    return call.result();
  }

  private synchronized @Nullable TreecastException admit(ConfirmationCall call) {
    if (closed == null) {
      pending.add(call);
      waiting.add(call);
    }
    return closed;
  }

  private void release(ConfirmationCall call) {
    synchronized (this) {
      pending.remove(call);
      waiting.remove(call);
    }
    askNext();
  }

  private void askNext() {
    for (ConfirmationCall next = takeNext(); next != null; next = takeNext()) {
      next.askWhenConnected();
    }
  }

  /** The one whose turn it is, which takes it; null if there is none. */
  private synchronized @Nullable ConfirmationCall takeNext() {
    int asked = pending.size() - waiting.size();
    if (waiting.isEmpty() || asked >= MAX_ASKED) {
      return null;
    }
    ConfirmationCall next = waiting.iterator().next();
    waiting.remove(next);
    return next;
  }

  /** Fails all that are pending, and all that come later. */
  void close(TreecastException why) {
    List<ConfirmationCall> open;
    synchronized (this) {
      closed = why;
      open = List.copyOf(pending);
      waiting.clear();
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
