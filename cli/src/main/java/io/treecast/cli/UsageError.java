package io.treecast.cli;

import io.treecast.agent.config.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Describes a misuse of the command line in one sentence, and replaces some texts of the parser by
 * this project's words.
 */
final class UsageError {
  /** The parser's message about a value, after the name of its option or parameter. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?s)Invalid value for (?:option|positional parameter at index \\S+) "
              + "['(]?(.+?)[')]?(?: \\(.*?\\))?: (.*)");

  private static final Pattern NOT_LISTED =
      Pattern.compile("(?s)expected one of \\[(.*?)\\] \\(case-insensitive\\) but was '(.*)'");
  private static final Pattern NO_NUMBER = Pattern.compile("(?s)'(.*)' is not an? (\\S+)");

  private static final Pattern NO_PATH =
      Pattern.compile("(?s)cannot convert '(.*)' to .*Path \\(.*");

  private static final List<String> WHOLE = List.of("int", "long");

  private UsageError() {}

  static String text(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String word = unknownWord(wrong);
    if (word != null) {
      String first = "'" + word + "' is ";
      return command.getSubcommands().isEmpty()
          ? first + "one argument too many" + example(command)
          : first
              + "not a command of '"
              + command.getCommandSpec().qualifiedName()
              + "'"
              + suggestion(word, command);
    }
    if (wrong instanceof CommandLine.UnmatchedArgumentException unmatched) {
      return unknownOptions(unmatched.getUnmatched());
    }
    String parsers = String.valueOf(wrong.getMessage()).replaceFirst("^Error: ", "");
    if (wrong instanceof CommandLine.MissingParameterException missing && isArgument(missing)) {
      return parsers + example(command);
    }
    Matcher value = VALUE.matcher(parsers);
    return value.matches() ? ofValue(value.group(1), value.group(2), parsers) : parsers;
  }

  /** Returns the first argument that is neither a command, nor an option, nor expected. */
  static @Nullable String unknownWord(ParameterException wrong) {
    return wrong instanceof CommandLine.UnmatchedArgumentException unmatched
            && !unmatched.getUnmatched().get(0).startsWith("-")
        ? unmatched.getUnmatched().get(0)
        : null;
  }

  /** Returns the message about unknown options. The parser's one also lists their values. */
  private static String unknownOptions(List<String> unmatched) {
    List<String> options = unmatched.stream().filter(word -> word.startsWith("-")).toList();
    return (options.size() == 1 ? "Unknown option: '" : "Unknown options: '")
        + String.join("', '", options)
        + "'";
  }

  private static String suggestion(String mistyped, CommandLine command) {
    String nearest = NearestName.of(mistyped, command.getSubcommands().keySet());
    return nearest == null ? "" : "; did you mean '" + nearest + "'?";
  }

  private static boolean isArgument(CommandLine.MissingParameterException missing) {
    return missing.getMissing().stream().allMatch(CommandLine.Model.ArgSpec::isPositional);
  }

  /**
   * Returns the first example of the help, where the name of what is missing or too much does not
   * tell the form of the call.
   */
  private static String example(CommandLine command) {
    return Arrays.stream(command.getCommandSpec().usageMessage().footer())
        .map(String::strip)
        .filter(line -> line.startsWith("treecast "))
        .findFirst()
        .map(line -> "; for example: " + line)
        .orElse("");
  }

  private static String ofValue(String name, String what, String otherwise) {
    Matcher notListed = NOT_LISTED.matcher(what);
    if (notListed.matches()) {
      return refusal(
          name, notListed.group(2), "are " + notListed.group(1).toLowerCase(Locale.ROOT));
    }
    Matcher noNumber = NO_NUMBER.matcher(what);
    if (noNumber.matches()) {
      boolean isWhole = WHOLE.contains(noNumber.group(2));
      return refusal(name, noNumber.group(1), isWhole ? "is a whole number" : "is a number");
    }
    Matcher noPath = NO_PATH.matcher(what);
    return noPath.matches()
        ? name + ": '" + noPath.group(1) + "' cannot be the name of a file or directory here"
        : otherwise;
  }

  private static String refusal(String name, String value, String allowed) {
    return name + ": '" + value + "' is not allowed; allowed " + allowed;
  }
}
