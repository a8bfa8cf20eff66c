package io.treecast.cli.agent;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.PermissionsFile;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Permissions;
import io.treecast.agent.permission.Rule;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.TreeJson;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code treecast may}. */
@Command(
    name = "may",
    description = {
      "Prints whether a file of permissions allows an action to an identity, and the rule. Only "
          + "reads the file.",
      "Ends with 0 if the file allows it, 1 if not, and 2 if the file cannot be used."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast may CN=shop publish prices --permissions permissions.yaml",
      "  treecast may token:prometheus administrate --permissions permissions.yaml"
    })
public final class MayCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "IDENTITY",
      description = "A URI or subject of a certificate, or token:NAME.")
  private String identity = "";

  @Parameters(
      index = "1",
      paramLabel = "ACTION",
      description =
          "publish, subscribe, takePart, upload, claim, read, write, join, operate or administrate.")
  private String action = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "NAME",
      description = "The topic, or the name of the operation; '' is the default topic.")
  private @Nullable String name;

  @Option(
      names = "--permissions",
      paramLabel = "FILE",
      required = true,
      description = "The agent's file of permissions.")
  private Path file = Path.of("");

  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    Action asked = Action.labelled(action);
    if (asked == null) {
      throw CommandFailure.usage(
          "ACTION: '" + action + "' is not allowed; allowed are " + Action.labels());
    }
    if (asked.isNamed() != (name != null)) {
      throw CommandFailure.usage(
          asked.isNamed()
              ? "NAME is missing: name the topic or operation; '' is the default topic"
              : "NAME: " + action + " has no topics or operations; leave it out");
    }
    String asName = name == null ? "" : name;
    List<String> identities = List.of(identity);
    Rule rule = permissions().permitting(identities, asked, asName);
    String text =
        rule == null
            ? Permissions.refusal(identities, asked, asName)
            : identity + " may, by the rule " + rule;
    if (output.isJson()) {
      output.println(
          TreeJson.object()
              .put("permitted", rule != null)
              .put("rule", rule == null ? null : rule.toString())
              .put("text", text));
    } else {
      output.println(text);
    }
    return rule == null ? ExitCode.FAILED : ExitCode.OK;
  }

  private Permissions permissions() {
    try {
      return PermissionsFile.read(file);
    } catch (ConfigException e) {
      throw CommandFailure.usage("--permissions: " + e.getMessage());
    }
  }
}
