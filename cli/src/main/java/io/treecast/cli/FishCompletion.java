package io.treecast.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A script with which fish completes commands, options and values. Stateless. */
final class FishCompletion {
  /**
   * Shell function that tests whether the words so far, without options, are exactly those of a
   * command.
   */
  private static final String AT_COMMAND =
      """
      function __treecast_at
          set -l words (commandline -opc)
          set -e words[1]
          set -l commands
          for word in $words
              string match -q -- '-*' $word; or set -a commands $word
          end
          set -l wanted (string split ' ' -- $argv[1])
          test "$argv[1]" = ''; and set wanted
          test (count $commands) -ge (count $wanted); or return 1
          for i in (seq (count $wanted))
              test $commands[$i] = $wanted[$i]; or return 1
          end
          test "$argv[2]" = options; or test (count $commands) -eq (count $wanted)
      end

      """;

  private FishCompletion() {}

  static String script(CommandSpec whole) {
    List<String> lines = new ArrayList<>();
    lines.add("complete -c " + whole.name() + " -e");
    add(whole, whole.name(), "", lines);
    return AT_COMMAND + String.join("\n", lines) + "\n";
  }

  private static void add(CommandSpec command, String name, String path, List<String> lines) {
    for (Map.Entry<String, CommandLine> sub : command.subcommands().entrySet()) {
      CommandSpec spec = sub.getValue().getCommandSpec();
      String first = first(spec.usageMessage().description());
      lines.add(
          "complete -c "
              + name
              + " -f -n "
              + quoted("__treecast_at " + quoted(path))
              + " -a "
              + quoted(sub.getKey())
              + describedAs(first));
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        lines.add(line(option, name, path));
      }
    }
    for (Map.Entry<String, CommandLine> sub : command.subcommands().entrySet()) {
      String below = path.isEmpty() ? sub.getKey() : path + " " + sub.getKey();
      add(sub.getValue().getCommandSpec(), name, below, lines);
    }
  }

  private static String line(OptionSpec option, String name, String path) {
    StringBuilder line =
        new StringBuilder("complete -c " + name + " -n ")
            .append(quoted("__treecast_at " + quoted(path) + " options"));
    for (String each : option.names()) {
      line.append(each.startsWith("--") ? " -l " + each.substring(2) : " -s " + each.substring(1));
    }
    if (option.arity().max() > 0) {
      boolean isFile = option.type() == Path.class || option.type() == File.class;
      line.append(isFile ? " -r -F" : " -x");
      Iterable<String> candidates = option.completionCandidates();
      if (candidates != null) {
        line.append(" -a ").append(quoted(String.join(" ", candidates)));
      }
    } else {
      line.append(" -f");
    }
    return line + describedAs(first(option.description()));
  }

  private static String describedAs(String text) {
    return text.isEmpty() ? "" : " -d " + quoted(text);
  }

  /** Returns the first sentence, without the parser's variables. */
  private static String first(String... description) {
    return description.length == 0
        ? ""
        : description[0]
            .replaceFirst("(?s)[.;:] .*|\\$\\{.*", "")
            .replaceFirst("\\.$", "")
            .replace("%%", "%");
  }

  private static String quoted(String text) {
    return "'"
        + text.lines().collect(Collectors.joining(" ")).replace("\\", "\\\\").replace("'", "\\'")
        + "'";
  }
}
