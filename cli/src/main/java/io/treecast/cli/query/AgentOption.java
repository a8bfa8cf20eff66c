package io.treecast.cli.query;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.cli.console.CommandFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --agent} flag: which agent a command asks. */
public final class AgentOption {
  public static final String VARIABLE = "TREECAST_AGENT";
  private static final String DEFAULT = "127.0.0.1:7700";

  @Option(
      names = "--agent",
      paramLabel = "HOST:PORT",
      description =
          "Where the agent listens; default: the environment's "
              + VARIABLE
              + ", or "
              + DEFAULT
              + ".")
  private @Nullable String agent;

  /**
   * The address.
   *
   * @throws CommandFailure if it is none
   */
  public HostPort address() {
    String variable = System.getenv(VARIABLE);
    try {
      if (agent != null) {
        return HostPort.parseRemote("--agent", agent);
      }
      return variable != null && !variable.isBlank()
          ? HostPort.parseRemote(VARIABLE, variable)
          : HostPort.parseRemote("--agent", DEFAULT);
    } catch (ConfigException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }
}
