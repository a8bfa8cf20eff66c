package io.treecast.client;

import java.nio.charset.StandardCharsets;

/**
 * The outcome of a request at one member.
 *
 * @param member the receiver
 * @param outcome the kind of outcome
 * @param payload the answer; empty unless the outcome is {@link Outcome#ANSWERED}. The caller may
 *     keep and change this array
 * @param error the reason why the server could not answer, for people; empty unless the outcome is
 *     {@link Outcome#FAILED}
 */
@SuppressWarnings("ArrayRecordComponent") // Payloads are bytes, and replies are not compared.
public record Reply(String member, Outcome outcome, byte[] payload, String error) {
  /** The kinds of outcomes of a request at a member. */
  public enum Outcome {
    /** The server answered. */
    ANSWERED,
    /** The handler of the server has thrown an exception. */
    FAILED,
    /** The member was not in the tree. The request was not sent to it. */
    ABSENT,
    /** The member left the tree before it answered. Its server may have handled the request. */
    LEFT,
    /**
     * No server of that name was in place at the member soon after the request was sent. A server
     * that started, ended or reconnected at that moment may have handled it.
     */
    NO_SERVER,
    /**
     * There was no answer in time: the server is slow, or a message was lost with an agent. The
     * server may have handled the request.
     */
    NO_ANSWER
  }

  static Reply without(String member, Outcome outcome) {
    return new Reply(member, outcome, new byte[0], "");
  }

  /** Returns whether the server answered. */
  public boolean isAnswered() {
    return outcome == Outcome.ANSWERED;
  }

  /** Returns the answer as UTF-8 text; malformed bytes become {@code U+FFFD}. */
  public String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  /** Returns, for example, {@code h7 ANSWERED (24 bytes)}. */
  @Override
  public String toString() {
    return switch (outcome) {
      case ANSWERED -> member + " ANSWERED (" + payload.length + " bytes)";
      case FAILED -> member + " FAILED: " + error;
      case ABSENT, LEFT, NO_SERVER, NO_ANSWER -> member + " " + outcome;
    };
  }
}
