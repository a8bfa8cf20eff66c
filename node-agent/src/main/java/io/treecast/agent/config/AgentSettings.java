package io.treecast.agent.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an agent from one source: the flags, or a file. Each setting is valid by itself.
 * Immutable.
 */
public final class AgentSettings {
  /** No settings. */
  public static final AgentSettings NONE = new AgentSettings(Map.of());

  private final Map<Setting<?>, Object> values;

  private AgentSettings(Map<Setting<?>, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** Reads all settings of a file. */
  static AgentSettings read(ConfigSection root) throws ConfigException {
    Map<Setting<?>, Object> values = new HashMap<>();
    for (Setting<?> setting : Setting.ALL) {
      Object value = setting.read(root);
      if (value != null) {
        values.put(setting, value);
      }
    }
    return new AgentSettings(values);
  }

  /** Returns a copy with this value; null makes the setting absent. */
  public <T> AgentSettings with(Setting<T> setting, @Nullable T value) {
    Map<Setting<?>, Object> all = new HashMap<>(values);
    if (value == null) {
      all.remove(setting);
    } else {
      all.put(setting, value);
    }
    return new AgentSettings(all);
  }

  /** Returns the value of a setting; null if it is absent. */
  @SuppressWarnings("unchecked") // Only with() and read() put values, each of the setting's type.
  public <T> @Nullable T get(Setting<T> setting) {
    return (T) values.get(setting);
  }

  /** Returns these settings, with absent ones taken from another source. */
  public AgentSettings orElse(AgentSettings weaker) {
    Map<Setting<?>, Object> all = new HashMap<>(weaker.values);
    all.putAll(values);
    return new AgentSettings(all);
  }

  /**
   * Returns the configuration, with defaults for absent settings.
   *
   * @throws ConfigException if settings without a default are missing, all of which the message
   *     names; if settings are inconsistent; or if a host cannot be resolved now
   */
  public AgentConfig toConfig() throws ConfigException {
    List<String> missing = new ArrayList<>();
    if (get(Setting.ID) == null) {
      missing.add("the node id (--id NAME, or id: NAME in the file)");
    }
    if (get(Setting.LISTEN) == null) {
      missing.add("the address to listen on (--listen HOST:PORT, or listen: HOST:PORT)");
    }
    if (!missing.isEmpty()) {
      throw new ConfigException("missing: " + String.join(", ", missing));
    }
    return new AgentConfig(this).checked();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AgentSettings settings && values.equals(settings.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
