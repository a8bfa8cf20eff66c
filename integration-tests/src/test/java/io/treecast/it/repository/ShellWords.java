package io.treecast.it.repository;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a command line as a shell does, with the quotes and comments that documents use. */
final class ShellWords {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(#.*$)|([^\\s'\"]+)");

  private ShellWords() {}

  static List<String> of(String commandLine) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(commandLine);
    while (word.find()) {
      if (word.group(3) != null) {
        break;
      }
      String quoted = word.group(1) != null ? word.group(1) : word.group(2);
      words.add(quoted != null ? quoted : word.group(4));
    }
    return words;
  }
}
