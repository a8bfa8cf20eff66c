package io.treecast.agent.wire.value;

import java.util.regex.Pattern;

/**
 * A frame that no agent of this version sends. The message names the field and what is allowed;
 * what it quotes of the frame is cut and has no control characters, as it goes to logs.
 */
public final class WireViolation extends Exception {
  private static final long serialVersionUID = 1L;

  /** Longest message, in characters. */
  public static final int MAX_LENGTH = 300;

  /** Control characters, those that turn the direction of text, and what separates lines. */
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  public WireViolation(String message) {
    super(printable(message));
  }

  /** What goes to logs of a text that comes from a frame: cut, and without control characters. */
  public static String printable(String message) {
    String cut =
        message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH - 3) + "...";
    return withoutControls(cut);
  }

  /** The text with a question mark for what would control a terminal, or begin a line of a log. */
  public static String withoutControls(String text) {
    return CONTROLS.matcher(text).replaceAll("?");
  }

  public static boolean hasControls(String text) {
    return CONTROLS.matcher(text).find();
  }
}
