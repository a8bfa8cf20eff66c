package io.treecast.agent.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.treecast.agent.config.AgentConfigFile;
import io.treecast.agent.config.AgentSettings;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.runtime.loop.NoticeLog;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an agent inside another program. They have the names and the checks of a
 * configuration file: {@code docs/agent.example.yaml} explains each. Every method but {@link
 * #start} returns this builder.
 *
 * <p>Not safe for use by several threads.
 */
public final class AgentBuilder {
  /** The name of the source in errors. */
  private static final String SOURCE = "Agent.builder()";

  private final Map<String, Object> settings = new LinkedHashMap<>();
  private @Nullable Path file;
  private MeterRegistry registry = new CompositeMeterRegistry();
  private Consumer<Notice> notices = new NoticeLog();

  AgentBuilder() {}

  /** Sets the node id, unique in the cluster. */
  public AgentBuilder id(String id) {
    return set("id", id);
  }

  /**
   * Sets the address at which the agent accepts other agents: {@code HOST:PORT}; port 0 selects a
   * free port.
   */
  public AgentBuilder listen(String address) {
    return set("listen", address);
  }

  /**
   * Sets the addresses of agents from which this one learns the other members, each {@code
   * HOST:PORT}.
   */
  public AgentBuilder seeds(String... addresses) {
    return seeds(List.of(addresses));
  }

  /** As {@link #seeds(String...)}. */
  public AgentBuilder seeds(List<String> addresses) {
    return set("seeds", List.copyOf(addresses));
  }

  /** Sets the directory with the agent's certificate. */
  public AgentBuilder tls(Path directory) {
    return set("tls", directory.toString());
  }

  /**
   * Sets any setting.
   *
   * @param key the setting's path in a configuration file, such as {@code limits.memoryBytes}
   * @param value a text, a number, a boolean, or a list of texts
   */
  public AgentBuilder set(String key, Object value) {
    Objects.requireNonNull(value, key);
    String[] path = key.split("\\.", 2);
    if (path.length == 1) {
      settings.put(key, value);
    } else {
      section(path[0]).put(path[1], value);
    }
    return this;
  }

  @SuppressWarnings("unchecked") // Only this class puts maps there.
  private Map<String, Object> section(String name) {
    Object present = settings.get(name);
    Map<String, Object> section =
        present instanceof Map<?, ?> ? (Map<String, Object>) present : new LinkedHashMap<>();
    settings.put(name, section);
    return section;
  }

  /**
   * Reads a configuration file for the settings that this builder lacks. A section of the file,
   * such as {@code limits}, is ignored if the builder has a section of that name.
   */
  public AgentBuilder file(Path configuration) {
    file = configuration;
    return this;
  }

  /** Registers the agent's meters until it closes; agents may share a registry. Default: none. */
  public AgentBuilder registry(MeterRegistry meters) {
    registry = Objects.requireNonNull(meters, "meters");
    return this;
  }

  /**
   * Sets the receiver of events for operators, which is called on the agent's loop. The receiver
   * must return quickly; an exception from it stops the agent. Default: the log.
   */
  public AgentBuilder notices(Consumer<Notice> receiver) {
    notices = Objects.requireNonNull(receiver, "receiver");
    return this;
  }

  /**
   * Starts the agent. It listens when this returns; {@link Agent#ready} completes when it has a
   * tree.
   *
   * @throws ConfigException as {@link Agent#start}, and for a setting that is unknown, missing or
   *     out of range
   */
  public Agent start() throws ConfigException {
    AgentSettings own = AgentConfigFile.ofValues(SOURCE, settings);
    AgentSettings all = file == null ? own : own.orElse(AgentConfigFile.read(file));
    return Agent.start(all.toConfig(), new AgentOptions(registry, null, notices));
  }
}
