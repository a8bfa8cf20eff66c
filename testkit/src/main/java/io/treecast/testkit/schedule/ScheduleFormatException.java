package io.treecast.testkit.schedule;

import java.io.IOException;

/**
 * Thrown for a file that is not a schedule; the message has the line, the error and the allowed
 * values.
 */
public final class ScheduleFormatException extends IOException {
  private static final long serialVersionUID = 1;

  ScheduleFormatException(String file, int line, String what) {
    super(file + ", line " + line + ": " + what);
  }
}
