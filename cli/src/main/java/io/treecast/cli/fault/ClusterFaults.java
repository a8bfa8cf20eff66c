package io.treecast.cli.fault;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.proto.v1.LinkFault;
import io.treecast.proto.v1.ListFaultsResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The faults of all members, with each direction of a link once, although both of its ends may
 * report it. Immutable after {@link #of}.
 */
final class ClusterFaults {
  /** Limit of concurrent calls. */
  private static final int AT_ONCE = 16;

  /** A fault in one direction of a link, as reported by its ends. */
  static final class Direction {
    private final LinkFault fault;
    private final List<String> setAt = new ArrayList<>();
    private long heldMessages;

    private Direction(LinkFault fault) {
      this.fault = fault;
    }

    LinkFault fault() {
      return fault;
    }

    /** Returns the node ids of the agents that report it. */
    List<String> setAt() {
      return setAt;
    }

    /** Returns the number of held messages at both ends. */
    long heldMessages() {
      return heldMessages;
    }
  }

  /** A member without an answer. */
  record Unreachable(Member member, String reason) {
    @Override
    public String toString() {
      return "agent " + member.id() + " at " + member.address() + ": " + reason;
    }
  }

  private record Answer(
      Member member, @Nullable ListFaultsResponse faults, boolean refused, String reason) {}

  private final AgentInquiry agents;
  private final Map<String, Direction> directions = new LinkedHashMap<>();
  private final List<String> paused = new ArrayList<>();
  private final List<Unreachable> silent = new ArrayList<>();
  private final List<Unreachable> refusing = new ArrayList<>();
  private boolean allowed;

  private ClusterFaults(AgentInquiry agents) {
    this.agents = agents;
  }

  /**
   * Asks all members.
   *
   * @throws CommandFailure if no member allows faults
   */
  static ClusterFaults of(AgentInquiry agents, MemberDirectory directory) {
    ClusterFaults faults = new ClusterFaults(agents);
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      // A paused agent answers this at once, but returns its known members only after the pause.
      List<Member> known = List.copyOf(directory.known());
      faults.ask(known, threads);
      faults.ask(
          directory.all().stream().filter(member -> !known.contains(member)).toList(), threads);
    } finally {
      threads.shutdownNow();
    }
    if (!faults.allowed) {
      List<Unreachable> why = faults.refusing.isEmpty() ? faults.silent : faults.refusing;
      throw CommandFailure.failed("no member allows faults: " + why.get(0));
    }
    return faults;
  }

  private void ask(List<Member> members, ExecutorService threads) {
    members.stream()
        .map(member -> CompletableFuture.supplyAsync(() -> ask(member), threads))
        .toList()
        .forEach(answer -> add(answer.join()));
  }

  private Answer ask(Member member) {
    try {
      return new Answer(member, FaultClient.list(agents, member), false, "");
    } catch (FaultClient.RefusedException e) {
      return new Answer(member, null, true, String.valueOf(e.getMessage()));
    } catch (AgentInquiry.FailedException e) {
      return new Answer(member, null, false, e.reason());
    }
  }

  private void add(Answer answer) {
    ListFaultsResponse answered = answer.faults;
    if (answered == null) {
      (answer.refused ? refusing : silent).add(new Unreachable(answer.member, answer.reason));
      return;
    }
    allowed = true;
    if (answered.getPaused()) {
      paused.add(answer.member.id().toString());
    }
    for (LinkFault fault : answered.getFaultsList()) {
      Direction direction =
          directions.computeIfAbsent(
              // Different reports of the two ends get separate lines.
              fault.toBuilder().clearHeldMessages().build().toString(),
              key -> new Direction(fault));
      direction.setAt.add(answer.member.id().toString());
      direction.heldMessages += fault.getHeldMessages();
    }
  }

  Collection<Direction> directions() {
    return directions.values();
  }

  /** Returns the node ids of paused agents. */
  List<String> paused() {
    return paused;
  }

  /** Returns the members that did not answer. */
  List<Unreachable> silent() {
    return silent;
  }

  /** Returns the members that do not allow faults, and so have none. */
  List<Unreachable> refusing() {
    return refusing;
  }
}
