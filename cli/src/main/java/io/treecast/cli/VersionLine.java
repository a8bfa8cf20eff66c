package io.treecast.cli;

import io.treecast.agent.runtime.status.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. Stateless. */
final class VersionLine implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"treecast " + BuildVersion.version()};
  }
}
