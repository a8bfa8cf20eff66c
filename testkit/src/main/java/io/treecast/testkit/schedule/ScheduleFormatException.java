package io.treecast.testkit.schedule;

import java.io.IOException;

/** A file is not a schedule; the message says where, what, and what is allowed. */
public final class ScheduleFormatException extends IOException {
  private static final long serialVersionUID = 1;

  ScheduleFormatException(String file, int line, String what) {
    super(file + ", line " + line + ": " + what);
  }
}
