package io.treecast.cli;

import io.treecast.cli.agent.AgentCommand;
import io.treecast.cli.agent.ConfigCommand;
import io.treecast.cli.agent.DoctorCommand;
import io.treecast.cli.agent.MayCommand;
import io.treecast.cli.bench.BenchCommand;
import io.treecast.cli.claim.ClaimCommand;
import io.treecast.cli.collective.BarrierCommand;
import io.treecast.cli.collective.GatherCommand;
import io.treecast.cli.collective.ReduceCommand;
import io.treecast.cli.collective.ScatterCommand;
import io.treecast.cli.demo.DemoCommand;
import io.treecast.cli.fault.FaultCommand;
import io.treecast.cli.group.GroupCommand;
import io.treecast.cli.health.MembersCommand;
import io.treecast.cli.health.StatusCommand;
import io.treecast.cli.health.TopicsCommand;
import io.treecast.cli.links.LinksCommand;
import io.treecast.cli.links.SeriesCommand;
import io.treecast.cli.links.WhyCommand;
import io.treecast.cli.messages.BroadcastCommand;
import io.treecast.cli.messages.SubscribeCommand;
import io.treecast.cli.reproduce.ReproduceCommand;
import io.treecast.cli.request.RequestCommand;
import io.treecast.cli.request.ServeCommand;
import io.treecast.cli.simulate.SimulateCommand;
import io.treecast.cli.tree.TreeCommand;
import io.treecast.cli.tree.WhatIfCommand;
import io.treecast.cli.values.BestCommand;
import io.treecast.cli.values.ValuesCommand;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * The commands of {@code treecast}, in the order of its help. Only the named command is loaded,
 * because the annotations of all commands take longer to read than a short command to run.
 */
enum Commands {
  DEMO("demo", DemoCommand.class),
  AGENT("agent", AgentCommand.class),
  CONFIG("config", ConfigCommand.class),
  MAY("may", MayCommand.class),
  DOCTOR("doctor", DoctorCommand.class),
  BROADCAST("broadcast", BroadcastCommand.class),
  SUBSCRIBE("subscribe", SubscribeCommand.class),
  REQUEST("request", RequestCommand.class),
  SERVE("serve", ServeCommand.class),
  CLAIM("claim", ClaimCommand.class),
  VALUES("values", ValuesCommand.class),
  BEST("best", BestCommand.class),
  GROUP("group", GroupCommand.class),
  BARRIER("barrier", BarrierCommand.class),
  REDUCE("reduce", ReduceCommand.class),
  GATHER("gather", GatherCommand.class),
  SCATTER("scatter", ScatterCommand.class),
  STATUS("status", StatusCommand.class),
  MEMBERS("members", MembersCommand.class),
  TOPICS("topics", TopicsCommand.class),
  TREE("tree", TreeCommand.class),
  LINKS("links", LinksCommand.class),
  SERIES("series", SeriesCommand.class),
  WHY("why", WhyCommand.class),
  WHAT_IF("what-if", WhatIfCommand.class),
  SIMULATE("simulate", SimulateCommand.class),
  REPRODUCE("reproduce", ReproduceCommand.class),
  FAULT("fault", FaultCommand.class),
  BENCH("bench", BenchCommand.class),
  COMPLETION("completion", CompletionCommand.class),
  WARM_UP("warm-up", WarmUpCommand.class),
  VERSION("version", VersionCommand.class),
  HELP("help", HelpCommand.class);

  private static final Set<Commands> RUN_AGENTS =
      EnumSet.of(AGENT, DEMO, SIMULATE, REPRODUCE, BENCH, WARM_UP);

  private final String word;
  private final Class<?> type;

  Commands(String word, Class<?> type) {
    this.word = word;
    this.type = type;
  }

  /** Adds the commands that a call needs: the named one, or all. */
  static void addTo(CommandLine main, String... args) {
    Commands named = args.length == 0 ? null : named(args[0]);
    if (named == null || named == HELP || named == COMPLETION) {
      for (Commands command : values()) {
        main.addSubcommand(command.word, command.type);
      }
    } else {
      main.addSubcommand(named.word, named.type);
    }
  }

  /** Returns whether a call runs agents, or channels like theirs, in this process. */
  static boolean runsAgents(String... args) {
    Commands named = args.length == 0 ? null : named(args[0]);
    return named != null && RUN_AGENTS.contains(named);
  }

  private static @Nullable Commands named(String word) {
    for (Commands command : values()) {
      if (command.word.equals(word)) {
        return command;
      }
    }
    return null;
  }
}
