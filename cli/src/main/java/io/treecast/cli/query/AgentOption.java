package io.treecast.cli.query;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.FileReason;
import io.treecast.agent.config.HostPort;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.Console;
import io.treecast.tls.BearerToken;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags {@code --agent}, {@code --tls} and {@code --token-file}: the agent that a command asks,
 * and the security of the connection.
 */
public final class AgentOption {
  public static final String VARIABLE = "TREECAST_AGENT";
  public static final String TLS_VARIABLE = "TREECAST_TLS";
  public static final String TOKEN_VARIABLE = "TREECAST_TOKEN";
  private static final int MAX_TOKEN_FILE_BYTES = 4_096;
  private static final String DEFAULT = "127.0.0.1:7700";

  @Option(
      names = "--agent",
      paramLabel = "HOST[:PORT]",
      description =
          "The agent's address, default port 7700; or several, separated by commas, of which the "
              + "first that answers is used; default: the environment's "
              + VARIABLE
              + ", or "
              + DEFAULT
              + ".")
  private @Nullable String agent;

  @Option(
      names = "--tls",
      paramLabel = "DIRECTORY",
      description =
          "Uses TLS, with the certificate in this directory: tls.crt, tls.key and "
              + "ca.crt; default: the environment's "
              + TLS_VARIABLE
              + ", or plain text.")
  private @Nullable Path tls;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Sends the token in this file, which identifies this command to agents with permissions, over TLS or on this machine; "
              + "default: the environment's "
              + TOKEN_VARIABLE
              + ", or none.")
  private @Nullable Path tokenFile;

  /**
   * Returns an inquiry, which the caller must close.
   *
   * @param console receives a warning if changed files for TLS cannot be used
   * @throws CommandFailure if the address is invalid, or the certificate cannot be used
   */
  public AgentInquiry inquiry(Console console) {
    List<HostPort> addresses = addresses();
    String token = token();
    String name = tls == null ? TLS_VARIABLE : "--tls";
    Path directory = tls == null ? environmentsTls() : tls;
    if (directory == null) {
      return AgentInquiry.inPlainText(addresses, token);
    }
    try {
      TlsFiles files =
          TlsFiles.ofApplication(
              directory, problem -> console.note("treecast: " + name + ": " + problem));
      return AgentInquiry.byTls(addresses, directory, files, token);
    } catch (TlsFilesException e) {
      throw CommandFailure.usage(name + ": " + e.getMessage());
    }
  }

  private @Nullable String token() {
    String variable = Objects.requireNonNullElse(System.getenv(TOKEN_VARIABLE), "");
    String name = tokenFile == null ? TOKEN_VARIABLE : "--token-file " + tokenFile;
    try {
      if (tokenFile == null && variable.isBlank()) {
        return null;
      }
      String text = (tokenFile == null ? variable : content(tokenFile)).strip();
      BearerToken unused = BearerToken.of(text);
      return text;
    } catch (IOException e) {
      throw CommandFailure.usage(name + ": the file cannot be read: " + FileReason.of(e));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(name + ": " + e.getMessage());
    }
  }

  private static String content(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_TOKEN_FILE_BYTES), StandardCharsets.UTF_8);
    }
  }

  private List<HostPort> addresses() {
    String variable = System.getenv(VARIABLE);
    try {
      if (agent != null) {
        return parsed("--agent", agent);
      }
      return variable != null && !variable.isBlank()
          ? parsed(VARIABLE, variable)
          : parsed("--agent", DEFAULT);
    } catch (ConfigException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private static List<HostPort> parsed(String setting, String text) throws ConfigException {
    Set<HostPort> addresses = new LinkedHashSet<>();
    for (String address : text.split(",", -1)) {
      addresses.add(HostPort.parseRemote(setting, address.strip()));
    }
    return List.copyOf(addresses);
  }

  private static @Nullable Path environmentsTls() {
    String variable = System.getenv(TLS_VARIABLE);
    try {
      return variable == null || variable.isBlank() ? null : Path.of(variable);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(
          TLS_VARIABLE + ": '" + variable + "' cannot be the name of a directory here");
    }
  }
}
