package io.treecast.cli.cluster;

import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.network.NodeSites;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the site of each node from a file: a line for each node with its name and that of its site,
 * separated by a comma or white space. {@code #} begins a comment.
 */
final class SitesFile {
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

  /** Limit of the size of the file. */
  private static final int MAX_CHARACTERS = 4 << 20;

  private SitesFile() {}

  /** Reads the file for nodes with given names. */
  static NodeSites read(Path file, List<String> nodes) {
    Map<String, String> siteOf = new TreeMap<>();
    int number = 0;
    for (String text : lines(file)) {
      number++;
      String line = text.replaceFirst("#.*", "").strip();
      if (line.isEmpty()) {
        continue;
      }
      String[] words = SEPARATOR.split(line, -1);
      String where = "--sites: " + file + ", line " + number + ": ";
      if (words.length != 2) {
        throw CommandFailure.usage(
            where + "expected a node and its site, as in '" + nodes.get(0) + " paris'");
      }
      if (!nodes.contains(words[0])) {
        throw CommandFailure.usage(where + "the network has no node '" + words[0] + "'");
      }
      if (siteOf.putIfAbsent(words[0], words[1]) != null) {
        throw CommandFailure.usage(where + "node '" + words[0] + "' occurs twice");
      }
    }
    for (String node : nodes) {
      if (!siteOf.containsKey(node)) {
        throw CommandFailure.usage("--sites: " + file + " names no site of node '" + node + "'");
      }
    }
    return NodeSites.named(nodes.stream().map(siteOf::get).toList());
  }

  private static List<String> lines(Path file) {
    try {
      if (Files.size(file) > MAX_CHARACTERS) {
        throw CommandFailure.usage(
            "--sites: " + file + " has more than " + MAX_CHARACTERS + " bytes");
      }
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CommandFailure.usage("--sites: " + file + " cannot be read: " + FileReason.of(e));
    }
  }
}
