package io.treecast.agent.wire.value;

import java.util.regex.Pattern;

/**
 * A frame that no agent of this version sends. The message names the field and the allowed values;
 * quotations of the frame are cut and have no control characters, as the message goes to logs.
 */
public final class WireViolation extends Exception {
  private static final long serialVersionUID = 1L;

  /** Longest message, in characters. */
  public static final int MAX_LENGTH = 300;

  /** Control characters, those that change the direction of text, and line separators. */
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  public WireViolation(String message) {
    super(printable(message));
  }

  /** Returns a text from a frame as it may go to logs: cut, and without control characters. */
  public static String printable(String message) {
    String cut =
        message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH - 3) + "...";
    return withoutControls(cut);
  }

  /**
   * Returns the text with a question mark for each character that would control a terminal, or
   * begin a line of a log.
   */
  public static String withoutControls(String text) {
    return CONTROLS.matcher(text).replaceAll("?");
  }

  public static boolean hasControls(String text) {
    return CONTROLS.matcher(text).find();
  }
}
