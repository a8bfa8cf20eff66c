package io.treecast.it.repository;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Code and links in the Markdown files. */
final class Documents {
  private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\\R(.*?)^```$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern COMMAND = Pattern.compile("^(?:\\$ )?\\./treecast\\b(.*)$");

  /**
   * A text in a file.
   *
   * @param file the path relative to the root
   */
  record Quote(Path file, String text) {
    @Override
    public String toString() {
      return file + ": " + text;
    }
  }

  private Documents() {}

  /** Targets of links to files of the repository, without the parts after {@code #}. */
  static List<Quote> relativeLinks() {
    return inAll(
        (file, text) ->
            LINK.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(match -> match.group(1).replaceFirst("#.*", ""))
                .filter(target -> !target.isEmpty() && !target.matches("[a-z]+:.*")));
  }

  /** Targets of links to headings: a file, unless it is the same, then {@code #} and an anchor. */
  static List<Quote> links() {
    return inAll(
        (file, text) ->
            LINK.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(match -> match.group(1))
                .filter(target -> target.contains("#") && !target.matches("[a-z]+:.*")));
  }

  /** Anchors of the headings of a file, as GitHub makes them. */
  static List<String> anchors(Path file) {
    return HEADING
        .matcher(FENCED.matcher(Repository.text(file)).replaceAll(""))
        .results()
        .map(match -> match.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\d _-]", "").replace(' ', '-'))
        .toList();
  }

  /** Arguments of each {@code ./treecast} in a block that a reader may copy. */
  static List<Quote> commandLines() {
    return inAll(
        (file, text) ->
            FENCED
                .matcher(text)
                .results()
                .map(block -> block.group(2).replaceAll("\\\\\\R\\s*", ""))
                .flatMap(String::lines)
                .flatMap(line -> Stream.of(line.split("\\s[|&]+(\\s|$)|;\\s")))
                .map(part -> COMMAND.matcher(part.strip()))
                .filter(Matcher::matches)
                .map(match -> match.group(1).strip()));
  }

  /** The first block after a comment. */
  static String blockAfter(Path file, String comment) {
    String text = Repository.text(file);
    int at = text.indexOf(comment);
    Matcher block = FENCED.matcher(text);
    if (at < 0 || !block.find(at)) {
      throw new AssertionError(file + " has no block after " + comment);
    }
    return block.group(2);
  }

  private interface Reader {
    Stream<String> read(Path file, String text);
  }

  private static List<Quote> inAll(Reader reader) {
    List<Quote> quotes = new ArrayList<>();
    for (Path file : Repository.files(".md")) {
      reader.read(file, Repository.text(file)).forEach(text -> quotes.add(new Quote(file, text)));
    }
    return quotes;
  }
}
