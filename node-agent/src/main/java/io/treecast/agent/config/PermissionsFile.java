package io.treecast.agent.config;

import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Permissions;
import io.treecast.agent.permission.Rule;
import io.treecast.collectives.broadcast.message.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads and checks permissions from a YAML file. An error names the file, the line, the value and
 * the allowed values.
 */
public final class PermissionsFile {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /** The beginning of a subject: the type of an attribute and its value. */
  private static final Pattern SUBJECT = Pattern.compile("[A-Za-z0-9.]+=.*");

  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.+");

  private static final int MAX_IDENTITY_LENGTH = 1_000;

  private static final String IDENTITIES =
      "a URI or a subject of certificates (as in CN=shop), token:NAME, or '*', within which '*'"
          + " stands for any characters";

  private PermissionsFile() {}

  /**
   * Reads a file.
   *
   * @throws ConfigException if the file cannot be read, is not YAML, or has an invalid rule
   */
  public static Permissions read(Path file) throws ConfigException {
    return parse(file.toString(), AgentConfigFile.text(file));
  }

  /**
   * Reads the text of a file.
   *
   * @param name the file's name, for errors
   */
  public static Permissions parse(String name, String yaml) throws ConfigException {
    JsonNode content = AgentConfigFile.tree(name, yaml);
    if (content == null) {
      throw new ConfigException(
          name
              + ": the file is empty, and would permit nothing; write 'rules: []' if that is "
              + "intended");
    }
    ConfigSection root =
        ConfigSection.root(AgentConfigFile.source(name, yaml), content, List.of("tokens", "rules"));
    Map<String, String> tokens = new TreeMap<>();
    for (ConfigSection token : root.sections("tokens", Permissions.MAX_RULES, "name", "sha256")) {
      add(token, tokens);
    }
    List<Rule> rules = new ArrayList<>();
    for (ConfigSection rule :
        root.sections("rules", Permissions.MAX_RULES, "identity", "may", "names")) {
      rules.add(rule(rule, tokens.keySet()));
    }
    return new Permissions(rules, tokens);
  }

  private static void add(ConfigSection section, Map<String, String> tokens)
      throws ConfigException {
    String name =
        SettingSyntax.name(section.path("name"), required(section, "name", SettingSyntax.NAMES));
    String allowed = "the SHA-256 of the token, 64 digits of 0-9a-f (printf %s TOKEN | sha256sum)";
    String sha256 = required(section, "sha256", allowed);
    if (!SHA256.matcher(sha256).matches()) {
      // The error omits the value, which may be the token itself.
      throw new ConfigException(section.path("sha256") + ": the value is not " + allowed);
    }
    if (tokens.put(name, sha256) != null) {
      throw new ConfigException(section.path("name"), name, "a name that no other token has");
    }
  }

  private static Rule rule(ConfigSection section, Set<String> tokens) throws ConfigException {
    String identity = required(section, "identity", IDENTITIES);
    checkIdentity(section.path("identity"), identity, tokens);
    Set<Action> actions = EnumSet.noneOf(Action.class);
    for (String label :
        required(section.texts("may", Action.labels(), Action.labels()), section, "may")) {
      Action action = Action.labelled(label);
      if (action == null) {
        throw new ConfigException(section.path("may"), label, Action.labels());
      }
      actions.add(action);
    }
    List<String> names =
        section.texts(
            "names",
            "a list of names of topics or operations, or one of them; '' is the default topic",
            "a name in quotes");
    boolean isNamed = actions.stream().anyMatch(Action::isNamed);
    if (isNamed && !actions.stream().allMatch(Action::isNamed)) {
      throw new ConfigException(
          section.path("may")
              + ": operate and administrate have no names; give them a rule of their own");
    }
    if (!isNamed && names != null) {
      throw new ConfigException(
          section.path("names") + ": operate and administrate have no names; remove the key");
    }
    return new Rule(identity, actions, isNamed ? checked(section, names) : List.of());
  }

  private static List<String> checked(ConfigSection section, @Nullable List<String> names)
      throws ConfigException {
    for (String name : required(names, section, "names")) {
      int bytes = name.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > Topic.MAX_BYTES) {
        throw new ConfigException(
            section.path("names"), name, "at most " + Topic.MAX_BYTES + " bytes");
      }
    }
    return required(names, section, "names");
  }

  /** Refuses a rule without effect, for an identity that no caller can have. */
  private static void checkIdentity(String path, String identity, Set<String> tokens)
      throws ConfigException {
    if (identity.startsWith(Permissions.TOKEN)) {
      String token = identity.substring(Permissions.TOKEN.length());
      if (!token.contains("*") && !tokens.contains(token)) {
        throw new ConfigException(
            path + ": there is no token '" + token + "' among tokens; add its name and sha256");
      }
    } else if (identity.length() > MAX_IDENTITY_LENGTH
        || !(identity.contains("*")
            || URI.matcher(identity).matches()
            || SUBJECT.matcher(identity).matches())) {
      throw new ConfigException(path, identity, IDENTITIES);
    }
  }

  private static String required(ConfigSection section, String key, String allowed)
      throws ConfigException {
    String value = section.text(key, allowed);
    if (value == null) {
      throw section.missing(key);
    }
    return value;
  }

  private static List<String> required(
      @Nullable List<String> values, ConfigSection section, String key) throws ConfigException {
    if (values == null || values.isEmpty()) {
      throw section.missing(key);
    }
    return values;
  }
}
