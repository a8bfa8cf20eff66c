package io.treecast.agent.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One level of a configuration file. Refuses unknown keys, and reads single values with checks of
 * type and range. An absent key yields null or its default.
 */
final class ConfigSection {
  private final ConfigSource source;
  private final String prefix;
  private final JsonNode node;
  private final Set<String> known;

  private ConfigSection(ConfigSource source, String prefix, JsonNode node, Collection<String> known)
      throws ConfigException {
    this.source = source;
    this.prefix = prefix;
    this.node = node;
    this.known = new LinkedHashSet<>(known);
    for (String key : new TreeSet<>(node.propertyNames())) {
      if (!this.known.contains(key)) {
        throw unknown(key);
      }
    }
  }

  /** Returns the top level of a file. */
  static ConfigSection root(ConfigSource source, JsonNode node, Collection<String> known)
      throws ConfigException {
    if (!node.isObject()) {
      throw new ConfigException(
          source.file() + ": the file is not a set of keys; write lines of the form key: value");
    }
    return new ConfigSection(source, "", node, known);
  }

  private ConfigException unknown(String key) {
    String nearest = NearestName.of(key, known);
    return new ConfigException(
        path(key)
            + ": unknown key"
            + (nearest == null ? "" : "; did you mean " + nearest + "?")
            + (nearest == null ? "; the" : " The")
            + (prefix.isEmpty() ? " keys of this file are " : " keys of " + section() + " are ")
            + String.join(", ", known));
  }

  private String section() {
    return prefix.substring(0, prefix.length() - 1);
  }

  /** Returns the file's name. */
  String file() {
    return source.file();
  }

  /** Returns file, line and path of a key, for errors. */
  String path(String key) {
    return source.at(prefix + key);
  }

  /** Returns the error for a missing key. */
  ConfigException missing(String key) {
    return new ConfigException(source.at(section()) + ": " + key + " is missing");
  }

  /** Returns a section below this level; null if absent. */
  @Nullable ConfigSection section(String key, String... keysBelow) throws ConfigException {
    JsonNode value = value(key, "keys below it: " + String.join(", ", keysBelow));
    if (value == null) {
      return null;
    }
    if (!value.isObject()) {
      throw wrong(key, value, "keys below it: " + String.join(", ", keysBelow));
    }
    return new ConfigSection(source, prefix + key + ".", value, List.of(keysBelow));
  }

  /** Returns the elements of a list, each as a section; empty if the list is absent. */
  List<ConfigSection> sections(String key, int most, String... keysBelow) throws ConfigException {
    String allowed = "a list of up to " + most + " with the keys " + String.join(", ", keysBelow);
    JsonNode value = value(key, allowed);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      throw wrong(key, value, allowed);
    }
    if (value.size() > most) {
      throw new ConfigException(path(key), value.size() + " elements", allowed);
    }
    List<ConfigSection> sections = new ArrayList<>();
    for (int i = 0; i < value.size(); i++) {
      String element = key + "[" + i + "]";
      if (!value.get(i).isObject()) {
        throw wrong(element, value.get(i), "the keys " + String.join(", ", keysBelow));
      }
      sections.add(
          new ConfigSection(source, prefix + element + ".", value.get(i), List.of(keysBelow)));
    }
    return sections;
  }

  /** Returns a text; null if absent. */
  @Nullable String text(String key, String allowed) throws ConfigException {
    JsonNode value = value(key, allowed);
    if (value == null) {
      return null;
    }
    if (!value.isString()) {
      throw wrong(key, value, allowed);
    }
    return value.stringValue();
  }

  /** Returns a list of texts, or a single one; null if absent. */
  @Nullable List<String> texts(String key, String allowed, String allowedElement)
      throws ConfigException {
    JsonNode value = value(key, allowed);
    if (value == null) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    if (value.isString()) {
      texts.add(value.stringValue());
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        if (!value.get(i).isString()) {
          throw wrong(key + "[" + i + "]", value.get(i), allowedElement);
        }
        texts.add(value.get(i).stringValue());
      }
    } else {
      throw wrong(key, value, allowed);
    }
    return texts;
  }

  /** Returns whether the value is a section. */
  boolean hasKeysBelow(String key) {
    JsonNode value = node.get(key);
    return value != null && value.isObject();
  }

  /** Returns texts by their keys, which are arbitrary, in order; null if absent. */
  @Nullable Map<String, String> textsByKey(String key, String allowed) throws ConfigException {
    JsonNode value = value(key, allowed);
    if (value == null) {
      return null;
    }
    if (!value.isObject()) {
      throw wrong(key, value, allowed);
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : value.propertyNames()) {
      if (!value.get(name).isString()) {
        throw wrong(key + "." + name, value.get(name), "a text in quotes");
      }
      texts.put(name, value.get(name).stringValue());
    }
    return texts;
  }

  /** Returns a boolean; null if absent. */
  @Nullable Boolean bool(String key) throws ConfigException {
    JsonNode value = value(key, "true or false");
    if (value == null) {
      return null;
    }
    if (isTextFromEnvironment(key, value, "true|false")) {
      return value.stringValue().equals("true");
    }
    if (!value.isBoolean()) {
      throw wrong(key, value, "true or false" + unquoted(value, "true|false"));
    }
    return value.booleanValue();
  }

  /** Returns a whole number; null if absent. */
  @Nullable Long integer(String key, long least, long most) throws ConfigException {
    String allowed = "a whole number from " + least + " to " + most;
    JsonNode value = value(key, allowed);
    if (value == null) {
      return null;
    }
    if (isTextFromEnvironment(key, value, "-?\\d{1,18}")) {
      long number = Long.parseLong(value.stringValue());
      if (number < least || number > most) {
        throw wrong(key, value, allowed);
      }
      return number;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > most) {
      throw wrong(key, value, allowed + unquoted(value, "-?\\d+"));
    }
    return value.longValue();
  }

  /**
   * Returns a whole number, or its default. Refuses a default that is out of range because of other
   * keys.
   */
  long integer(String key, long least, long most, long byDefault) throws ConfigException {
    Long value = integer(key, least, most);
    if (value != null) {
      return value;
    }
    if (byDefault < least || byDefault > most) {
      throw new ConfigException(
          ("%s: its default, %s, conflicts with the other keys of %s; set it to a whole "
                  + "number from %s to %s")
              .formatted(path(key), byDefault, section(), least, most));
    }
    return byDefault;
  }

  /**
   * Returns whether the value is a text from an environment variable in the form that its key
   * requires.
   */
  private boolean isTextFromEnvironment(String key, JsonNode value, String allowed) {
    return value.isString()
        && source.isFromEnvironment(prefix + key)
        && value.stringValue().matches(allowed);
  }

  private @Nullable JsonNode value(String key, String allowed) throws ConfigException {
    JsonNode value = node.get(key);
    if (value != null && value.isNull()) {
      throw new ConfigException(
          path(key) + ": there is no value; give " + allowed + ", or remove the key");
    }
    return value;
  }

  /**
   * Returns the advice for a value that would be allowed without its quotes; the error shows it
   * unquoted.
   */
  private static String unquoted(JsonNode value, String allowed) {
    return value.isString() && value.asString().matches(allowed) ? ", without quotes" : "";
  }

  private ConfigException wrong(String key, JsonNode value, String allowed) {
    return new ConfigException(
        path(key), value.isContainer() ? value.toString() : value.asString(), allowed);
  }
}
