package io.treecast.agent.wire;

/**
 * A frame that no agent of this version sends. The message names the field and what is allowed;
 * what it quotes of the frame is cut and has no control characters, as it goes to logs.
 */
public final class WireViolation extends Exception {
  private static final long serialVersionUID = 1L;

  /** Longest message, in characters. */
  static final int MAX_LENGTH = 300;

  public WireViolation(String message) {
    super(printable(message));
  }

  /** What goes to logs of a text that comes from a frame: cut, and without control characters. */
  static String printable(String message) {
    String cut =
        message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH - 3) + "...";
    return cut.replaceAll("\\p{Cntrl}", "?");
  }
}
