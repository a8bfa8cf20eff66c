package io.treecast.agent.config;

/** A setting can not be used. The message names the setting, its value and what is allowed. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * For a setting with a bad value.
   *
   * @param setting its path in the file, or its flag
   * @param value what it is
   * @param allowed what it may be
   */
  public ConfigException(String setting, Object value, String allowed) {
    super(setting + ": '" + value + "' is not allowed; allowed is " + allowed);
  }

  /** For anything else. */
  public ConfigException(String message) {
    super(message);
  }
}
