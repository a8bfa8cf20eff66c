package io.treecast.agent.config;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.monitor.probe.ProbePolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads an agent's settings from a YAML file and checks all of them at once: an unknown key, a
 * wrong type or a value out of range is an error that names the file, the path in it, the value and
 * the allowed values. {@code docs/agent.example.yaml} shows every key.
 */
public final class AgentConfigFile {
  /** Largest file that is read. */
  public static final int MAX_FILE_BYTES = 1 << 16;

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private AgentConfigFile() {}

  /**
   * Reads a file.
   *
   * @throws ConfigException if it cannot be read, is not YAML, or has an invalid setting
   */
  public static AgentSettings read(Path file) throws ConfigException {
    return parse(file.toString(), text(file));
  }

  /** Returns the text of a file of settings. */
  static String text(Path file) throws ConfigException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw new ConfigException(
            file + ": the file is larger than " + MAX_FILE_BYTES + " bytes; is it the right one?");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      throw new ConfigException("file not found: " + file);
    } catch (CharacterCodingException e) {
      throw new ConfigException(file + ": the file is not UTF-8 text");
    } catch (IOException e) {
      throw new ConfigException(file + ": the file cannot be read: " + FileReason.of(e));
    }
  }

  /**
   * Reads settings that a program gives, as a file with the same values.
   *
   * @param name names their source in errors
   * @param values texts, numbers, booleans, lists of texts, and maps of these, by key
   * @throws ConfigException if a setting is invalid
   */
  public static AgentSettings ofValues(String name, Map<String, ?> values) throws ConfigException {
    return parse(name, YAML.writeValueAsString(values), System::getenv, false);
  }

  /**
   * Reads the text of a file.
   *
   * @param name the file's name, for errors
   */
  static AgentSettings parse(String name, String yaml) throws ConfigException {
    return parse(name, yaml, System::getenv);
  }

  /** The same in another environment, which gives null for a variable that is not set. */
  static AgentSettings parse(String name, String yaml, UnaryOperator<@Nullable String> environment)
      throws ConfigException {
    return parse(name, yaml, environment, true);
  }

  private static AgentSettings parse(
      String name, String yaml, UnaryOperator<@Nullable String> environment, boolean hasLines)
      throws ConfigException {
    JsonNode root = tree(name, yaml);
    if (root == null) {
      return AgentSettings.NONE;
    }
    ConfigSource source = source(name, hasLines ? yaml : "");
    return settings(
        ConfigSection.root(
            source,
            source.resolved(root, environment),
            "id",
            "listen",
            "advertise",
            "seeds",
            "admin",
            "adminHosts",
            "series",
            "site",
            "cluster",
            "readyMembers",
            "tls",
            "insecure",
            "permissions",
            "allowFaults",
            "limits",
            "probes",
            "silence",
            "significance",
            "throughput",
            "overlay",
            "links"));
  }

  /** Returns where each key of a valid file stands. */
  static ConfigSource source(String name, String yaml) {
    return ConfigSource.of(name, YAML, yaml);
  }

  /** Returns the content of a file; null if it is empty. */
  static @Nullable JsonNode tree(String name, String yaml) throws ConfigException {
    try {
      JsonNode root = YAML.readTree(yaml);
      return root.isMissingNode() || root.isNull() ? null : root;
    } catch (JacksonException e) {
      throw new ConfigException(name + where(e) + ": no valid YAML: " + problem(e));
    }
  }

  private static String where(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    return at == null || at.getLineNr() < 1
        ? ""
        : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  /** Returns the problem's first line; the lines below it quote the file. */
  private static String problem(JacksonException e) {
    return e.getOriginalMessage()
        .lines()
        .filter(line -> !line.startsWith(" "))
        .collect(Collectors.joining(", "));
  }

  private static AgentSettings settings(ConfigSection root) throws ConfigException {
    String id =
        root.text(
            "id",
            "1 to 64 letters, digits, '.', '_' and '-'; a name of digits goes in quotes, as in \"3\"");
    String listen = root.text("listen", "HOST:PORT, as in 127.0.0.1:7700");
    String advertise = root.text("advertise", "HOST:PORT, as in agent1.example:7700");
    String admin = root.text("admin", "HOST:PORT, as in 127.0.0.1:9400");
    String series = root.text("series", "a directory, as in /var/lib/treecast");
    String tls = root.text("tls", "a directory, as in /etc/treecast/tls");
    String permissions = root.text("permissions", "a file, as in /etc/treecast/permissions.yaml");
    String site = root.text("site", SettingSyntax.NAMES);
    String cluster = root.text("cluster", SettingSyntax.NAMES);
    List<String> seeds =
        root.texts(
            "seeds", "a list of HOST:PORT, or one text of them separated by commas", "HOST:PORT");
    Long readyMembers = root.integer("readyMembers", 1, AgentConfig.MAX_READY_MEMBERS);
    List<String> adminHosts =
        root.texts(
            "adminHosts",
            "a list of host names, or one text of them separated by commas",
            "the name of a host");
    BroadcastLimits limits = AgentConfigSections.limits(root);
    ProbePolicy probes = AgentConfigSections.probes(root);
    return new AgentSettings(
        id == null ? null : SettingSyntax.nodeId(root.path("id"), id),
        listen == null ? null : HostPort.parseListen(root.path("listen"), listen),
        advertise == null ? null : HostPort.parseAdvertised(root.path("advertise"), advertise),
        seeds == null ? null : SettingSyntax.seeds(root.path("seeds"), seeds),
        admin == null ? null : HostPort.parse(root.path("admin"), admin),
        adminHosts == null ? null : SettingSyntax.hosts(root.path("adminHosts"), adminHosts),
        tls == null ? null : SettingSyntax.directory(root.path("tls"), tls),
        root.bool("insecure"),
        permissions == null ? null : SettingSyntax.file(root.path("permissions"), permissions),
        limits,
        AgentConfigSections.collectives(root, limits),
        probes,
        AgentConfigSections.silence(root, probes),
        AgentConfigSections.significance(root),
        AgentConfigSections.throughput(root),
        AgentConfigSections.overlay(root),
        AgentConfigSections.links(root),
        root.bool("allowFaults"),
        series == null ? null : SettingSyntax.directory(root.path("series"), series),
        site == null ? null : SettingSyntax.name(root.path("site"), site),
        cluster == null ? null : SettingSyntax.name(root.path("cluster"), cluster),
        readyMembers == null ? null : (Integer) readyMembers.intValue());
  }
}
