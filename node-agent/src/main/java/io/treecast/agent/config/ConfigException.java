package io.treecast.agent.config;

/**
 * A setting cannot be used, or not now. The message names the setting, its value and what is
 * allowed.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean mayPass;

  /**
   * For a setting with a bad value.
   *
   * @param setting its path in the file, or its flag
   * @param value what it is
   * @param allowed what it may be
   */
  public ConfigException(String setting, Object value, String allowed) {
    this(setting + ": '" + value + "' is not allowed; allowed is " + allowed);
  }

  /** For anything else. */
  public ConfigException(String message) {
    this(message, false);
  }

  private ConfigException(String message, boolean mayPass) {
    super(message);
    this.mayPass = mayPass;
  }

  /** For one that is right as such: what it names is in use, or cannot be had now. */
  public static ConfigException now(String message) {
    return new ConfigException(message, true);
  }

  /** Whether the same setting may do at another time. */
  public boolean mayPass() {
    return mayPass;
  }
}
