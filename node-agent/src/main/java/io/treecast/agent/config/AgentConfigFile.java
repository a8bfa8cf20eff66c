package io.treecast.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
 * Reads and checks an agent's settings from a YAML file. An unknown key, a wrong type or a value
 * out of range causes an error that names the file, the path in it, the value and the allowed
 * values. {@code docs/agent.example.yaml} shows every key.
 */
public final class AgentConfigFile {
  /** The maximum size of a file. */
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
   * @throws ConfigException if the file cannot be read, is not YAML, or has an invalid setting
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
   * Reads settings from a program, with the rules for a file.
   *
   * @param name the name of their source, for errors
   * @param values the values by key: texts, numbers, booleans, lists of texts, and maps of these
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

  /**
   * Reads the text of a file with these environment variables; null stands for a variable that is
   * not set.
   */
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
    return AgentSettings.read(
        ConfigSection.root(source, source.resolved(root, environment), Setting.keys()));
  }

  /** Returns the positions of the keys of a valid file. */
  static ConfigSource source(String name, String yaml) {
    return ConfigSource.of(name, YAML, yaml);
  }

  /** Returns the content of a file; null if it is empty. */
  static @Nullable JsonNode tree(String name, String yaml) throws ConfigException {
    try {
      JsonNode root = YAML.readTree(yaml);
      return root.isMissingNode() || root.isNull() ? null : root;
    } catch (JacksonException e) {
      throw new ConfigException(name + where(e) + ": invalid YAML: " + problem(e));
    }
  }

  private static String where(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    return at == null || at.getLineNr() < 1
        ? ""
        : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  /**
   * Returns the parser's description of the problem, without the indented lines that quote the
   * file.
   */
  private static String problem(JacksonException e) {
    return e.getOriginalMessage()
        .lines()
        .filter(line -> !line.startsWith(" "))
        .collect(Collectors.joining(", "));
  }
}
