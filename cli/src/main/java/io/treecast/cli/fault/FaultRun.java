package io.treecast.cli.fault;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.proto.v1.InjectFaultRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The injection of one fault at the agents that it concerns, with the outcome at each.
 * Single-threaded.
 */
final class FaultRun {
  /** An agent at which the injection failed, and the reason. */
  private record Failure(Member agent, String reason) {
    @Override
    public String toString() {
      return "agent " + agent.id() + " at " + agent.address() + ": " + reason;
    }
  }

  private final List<Member> done = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  private FaultRun() {}

  /**
   * Injects a fault.
   *
   * @throws CommandFailure if it failed at all agents
   */
  static FaultRun at(AgentInquiry inquiry, List<Member> agents, InjectFaultRequest fault) {
    FaultRun run = tried(inquiry, agents, fault);
    if (run.isNothing()) {
      throw CommandFailure.failed("nothing was done: " + run.failureText());
    }
    return run;
  }

  /** Injects a fault; it may fail at all agents. */
  static FaultRun tried(AgentInquiry inquiry, List<Member> agents, InjectFaultRequest fault) {
    FaultRun run = new FaultRun();
    for (Member agent : agents) {
      try {
        FaultClient.inject(inquiry, agent, fault);
        run.done.add(agent);
      } catch (AgentInquiry.FailedException | FaultClient.RefusedException e) {
        run.failures.add(new Failure(agent, String.valueOf(e.getMessage())));
      }
    }
    return run;
  }

  /** Adds an agent at which the fault was not injected. */
  void addFailure(Member agent, String reason) {
    failures.add(new Failure(agent, reason));
  }

  /** Returns whether the injection failed at all agents. */
  boolean isNothing() {
    return done.isEmpty();
  }

  /** Returns whether the injection succeeded at all agents. */
  boolean isComplete() {
    return failures.isEmpty();
  }

  private String failureText() {
    return failures.stream().map(Failure::toString).collect(Collectors.joining("; "));
  }

  /** Returns the agents at which the fault was injected, for people. */
  String where() {
    return "set at "
        + done.stream().map(agent -> agent.id().toString()).collect(Collectors.joining(" and "));
  }

  /** Adds the agents with success and with failure, for programs. */
  void describe(ObjectNode json) {
    ArrayNode doneAt = json.putArray("done");
    done.forEach(agent -> doneAt.add(agent.id().toString()));
    ArrayNode failed = json.putArray("failed");
    for (Failure failure : failures) {
      failed
          .addObject()
          .put("node", failure.agent.id().toString())
          .put("address", failure.agent.address())
          .put("reason", failure.reason);
    }
  }

  /**
   * Prints the failures as notes.
   *
   * @return the command's exit code
   */
  int noteFailures(OutputOption output) {
    failures.forEach(failure -> output.note("treecast: not set at " + failure));
    return failures.isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }
}
