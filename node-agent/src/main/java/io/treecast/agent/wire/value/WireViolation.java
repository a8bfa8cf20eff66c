package io.treecast.agent.wire.value;

import java.util.regex.Pattern;

/**
 * A violation of the protocol: a frame that no agent of this version sends. The message names the
 * field and the allowed values. Since it is logged, quotations of the frame are truncated and have
 * no control characters.
 */
public final class WireViolation extends Exception {
  private static final long serialVersionUID = 1L;

  /** The maximum length of a message, in characters. */
  public static final int MAX_LENGTH = 300;

  /** Control characters, characters that change the direction of text, and line separators. */
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  public WireViolation(String message) {
    super(printable(message));
  }

  /**
   * Returns a text from a frame in a form safe for logs: truncated, and without control characters.
   */
  public static String printable(String message) {
    String cut =
        message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH - 3) + "...";
    return withoutControls(cut);
  }

  /**
   * Returns the text with a question mark for each character that could control a terminal or begin
   * a line in a log.
   */
  public static String withoutControls(String text) {
    return CONTROLS.matcher(text).replaceAll("?");
  }

  public static boolean hasControls(String text) {
    return CONTROLS.matcher(text).find();
  }
}
