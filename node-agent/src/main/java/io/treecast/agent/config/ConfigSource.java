package io.treecast.agent.config;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The source of a configuration: the line of each key, and the values that come from the
 * environment. A value may refer to an environment variable, {@code ${NAME}}, or with a default,
 * {@code ${NAME:-default}}. A second dollar sign before the brace escapes the reference.
 */
final class ConfigSource {
  /** An escaped reference, a complete one, or the beginning of an incomplete one. */
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\$\\{|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\\}|\\$\\{");

  private final String file;
  private final Map<String, Integer> lines;
  private final Set<String> fromEnvironment = new TreeSet<>();

  private ConfigSource(String file, Map<String, Integer> lines) {
    this.file = file;
    this.lines = lines;
  }

  /**
   * Returns the source of a text that is valid YAML.
   *
   * @param file the file's name, for errors
   */
  static ConfigSource of(String file, YAMLMapper mapper, String yaml) {
    Map<String, Integer> lines = new HashMap<>();
    try (JsonParser parser = mapper.createParser(yaml)) {
      Deque<Level> levels = new ArrayDeque<>();
      String name = "";
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        Level level = levels.peekLast();
        if (token == JsonToken.PROPERTY_NAME) {
          String outer = level == null ? "" : level.name;
          name = outer.isEmpty() ? parser.currentName() : outer + "." + parser.currentName();
          lines.putIfAbsent(name, parser.currentTokenLocation().getLineNr());
          continue;
        }
        if (token.isStructEnd()) {
          levels.removeLast();
          continue;
        }
        if (level != null && level.isArray) {
          name = level.name + "[" + level.elements++ + "]";
          lines.putIfAbsent(name, parser.currentTokenLocation().getLineNr());
        }
        if (token.isStructStart()) {
          levels.addLast(new Level(name, token == JsonToken.START_ARRAY));
        }
      }
    }
    return new ConfigSource(file, lines);
  }

  /** An object or an array of the file. */
  private static final class Level {
    final String name;
    final boolean isArray;
    int elements;

    Level(String name, boolean isArray) {
      this.name = name;
      this.isArray = isArray;
    }
  }

  /** Returns the file's name. */
  String file() {
    return file;
  }

  /** Returns file, line and path of a key, for errors. */
  String at(String path) {
    Integer line = lines.get(path);
    return (line == null ? file : file + ", line " + line) + ": " + path;
  }

  /** Returns whether the value at this path contains that of an environment variable. */
  boolean isFromEnvironment(String path) {
    return fromEnvironment.contains(path);
  }

  /**
   * Replaces references to environment variables by their values.
   *
   * @param environment the variables; null for one that is not set
   * @throws ConfigException if a variable is not set and has no default, or if a reference is
   *     incomplete
   */
  JsonNode resolved(JsonNode root, UnaryOperator<@Nullable String> environment)
      throws ConfigException {
    return resolved("", root, environment);
  }

  private JsonNode resolved(String path, JsonNode node, UnaryOperator<@Nullable String> environment)
      throws ConfigException {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
        entry.setValue(resolved(below, entry.getValue(), environment));
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, resolved(path, array.get(i), environment));
      }
    } else if (node.isString() && node.stringValue().contains("${")) {
      return StringNode.valueOf(resolved(path, node.stringValue(), environment));
    }
    return node;
  }

  private String resolved(String path, String text, UnaryOperator<@Nullable String> environment)
      throws ConfigException {
    StringBuilder resolved = new StringBuilder();
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      reference.appendReplacement(
          resolved, Matcher.quoteReplacement(value(path, text, reference, environment)));
    }
    return reference.appendTail(resolved).toString();
  }

  private String value(
      String path, String text, Matcher reference, UnaryOperator<@Nullable String> environment)
      throws ConfigException {
    if (reference.group().startsWith("$$")) {
      return "${";
    }
    String name = reference.group(1);
    if (name == null) {
      throw new ConfigException(
          at(path),
          text,
          "${NAME} or ${NAME:-default} for an environment variable, and $${ for the characters"
              + " themselves");
    }
    fromEnvironment.add(path);
    String value = environment.apply(name);
    String byDefault = reference.group(2);
    if (byDefault != null && (value == null || value.isEmpty())) {
      return byDefault;
    }
    if (value == null) {
      throw new ConfigException(
          ("%s: the environment variable %s is not set; set it, or give a default as in "
                  + "${%s:-value}")
              .formatted(at(path), name, name));
    }
    return value;
  }
}
