package io.treecast.agent.config;

/**
 * A setting that cannot be used, permanently or at present. The message names the setting, its
 * value and the allowed values.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean mayPass;

  /**
   * Creates the failure of a setting with an invalid value.
   *
   * @param setting the setting's path in the file, or its flag
   * @param value the value
   * @param allowed the allowed values
   */
  public ConfigException(String setting, Object value, String allowed) {
    this(setting + ": '" + value + "' is not allowed; allowed is " + allowed);
  }

  /** Creates any other failure. */
  public ConfigException(String message) {
    this(message, false);
  }

  private ConfigException(String message, boolean mayPass) {
    super(message);
    this.mayPass = mayPass;
  }

  /**
   * Creates the failure of a valid setting whose resource is in use or not available at present.
   */
  public static ConfigException now(String message) {
    return new ConfigException(message, true);
  }

  /** Returns whether the same setting may work later. */
  public boolean mayPass() {
    return mayPass;
  }
}
