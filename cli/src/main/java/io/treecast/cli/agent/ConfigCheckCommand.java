package io.treecast.cli.agent;

import io.treecast.agent.config.AgentConfigFile;
import io.treecast.agent.config.AgentSettings;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.PermissionsFile;
import io.treecast.agent.config.Setting;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.TreeJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code treecast config check}. */
@Command(
    name = "check",
    description = {
      "Checks a YAML file of settings as 'treecast agent --config FILE' would, and starts "
          + "nothing. An error names the line, the key and the allowed values. Reads the file of "
          + "permissions, too, if the settings name one; 'treecast doctor' also checks certificates, "
          + "ports and seeds.",
      "Environment variables that the file names must be set. Name with --given the required "
          + "settings that flags or environment variables provide.",
      "Ends with 0 if an agent can be started with the file, else with 2."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast config check /etc/treecast/agent.yaml",
      "  treecast config check agent.yaml --given id,listen"
    })
final class ConfigCheckCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "The file.")
  private Path file = Path.of("");

  @Option(
      names = "--given",
      paramLabel = "KEY[,...]",
      split = ",",
      description =
          "Required settings that flags will give, and that the file may lack: id, listen.")
  private List<String> given = List.of();

  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    for (String key : given) {
      if (!List.of("id", "listen").contains(key)) {
        throw CommandFailure.usage("--given: '" + key + "' is not allowed; allowed are id, listen");
      }
    }
    String problem = problem();
    if (output.isJson()) {
      output.println(
          TreeJson.object()
              .put("file", file.toString())
              .put("valid", problem.isEmpty())
              .put("problem", problem));
      return problem.isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }
    if (!problem.isEmpty()) {
      throw CommandFailure.usage(problem);
    }
    output.println(file + ": the settings are valid");
    return ExitCode.OK;
  }

  /** Returns the first problem, or an empty text if the settings are valid. */
  private String problem() {
    try {
      AgentSettings settings = AgentConfigFile.read(file);
      List<String> missing = new ArrayList<>();
      if (settings.get(Setting.ID) == null && !given.contains("id")) {
        missing.add("id");
      }
      if (settings.get(Setting.LISTEN) == null && !given.contains("listen")) {
        missing.add("listen");
      }
      if (!missing.isEmpty()) {
        return "%s: missing: %s; add the keys, or name those that flags give with --given"
            .formatted(file, String.join(", ", missing));
      }
      if (settings.get(Setting.ID) != null && settings.get(Setting.LISTEN) != null) {
        settings.toConfig();
      }
      checkPermissions(settings.get(Setting.PERMISSIONS));
      return "";
    } catch (ConfigException e) {
      // A problem that may pass, such as a name unknown here, is not the file's fault.
      return e.mayPass() ? "" : withFile(String.valueOf(e.getMessage()));
    }
  }

  private static void checkPermissions(@Nullable Path permissions) throws ConfigException {
    try {
      if (permissions != null) {
        PermissionsFile.read(permissions);
      }
    } catch (ConfigException e) {
      throw new ConfigException("permissions: " + e.getMessage());
    }
  }

  private String withFile(String message) {
    return message.startsWith(file.toString()) || message.contains(" " + file)
        ? message
        : file + ": " + message;
  }
}
