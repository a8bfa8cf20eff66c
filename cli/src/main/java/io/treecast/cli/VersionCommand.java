package io.treecast.cli;

import io.treecast.agent.runtime.status.BuildVersion;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.TreeJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code treecast version}. */
@Command(
    name = "version",
    description = "Prints the version.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast version --output json"})
final class VersionCommand implements Callable<Integer> {
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    if (output.isJson()) {
      output.println(
          TreeJson.object()
              .put("version", BuildVersion.version())
              .put("java", Runtime.version().toString()));
    } else {
      output.println("treecast " + BuildVersion.version() + ", Java " + Runtime.version());
    }
    return ExitCode.OK;
  }
}
