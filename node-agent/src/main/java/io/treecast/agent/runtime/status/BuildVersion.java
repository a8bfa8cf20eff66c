package io.treecast.agent.runtime.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build of agents and of the command. Stateless. */
public final class BuildVersion {
  private BuildVersion() {}

  /**
   * Returns the version in the project's descriptor; {@code unknown} if the build did not set it.
   */
  public static String version() {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read build.properties", e);
    }
    return properties.getProperty("version", "unknown");
  }
}
