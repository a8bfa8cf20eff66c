package io.treecast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that this program was built as. */
final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"treecast " + version()};
  }

  static String version() {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("build.properties can not be read", e);
    }
    return properties.getProperty("version", "unknown");
  }
}
