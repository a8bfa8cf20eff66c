package io.treecast.cli.query;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Asks one agent for the members, and then each of them, and each member that they know, once. */
public final class ClusterInquiry {
  /** Limit of concurrent calls. */
  private static final int AT_ONCE = 16;

  /**
   * A member without an answer.
   *
   * @param member the member
   * @param reason the reason, for people
   */
  public record Unreachable(Member member, String reason) {
    @Override
    public String toString() {
      return member.id() + " at " + member.address() + " (" + reason + ")";
    }
  }

  /**
   * The answers, ordered by node id.
   *
   * @param reports the reports of members that answered
   * @param silent the members that did not answer
   */
  public record Answers(List<AgentReport> reports, List<Unreachable> silent) {}

  private final TreeMap<NodeId, AgentReport> reports = new TreeMap<>();
  private final TreeMap<NodeId, Unreachable> silent = new TreeMap<>();

  private final AgentInquiry agents;

  private ClusterInquiry(AgentInquiry agents) {
    this.agents = agents;
  }

  /**
   * Asks all members, beginning with the present agent.
   *
   * @throws CommandFailure if that does not answer
   */
  public static Answers of(AgentInquiry agents) {
    ClusterInquiry inquiry = new ClusterInquiry(agents);
    AgentReport first = agents.report();
    inquiry.reports.put(first.id(), first);
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      for (List<Member> next = first.members(); !next.isEmpty(); ) {
        next = inquiry.ask(next, threads);
      }
    } finally {
      threads.shutdownNow();
    }
    return new Answers(List.copyOf(inquiry.reports.values()), List.copyOf(inquiry.silent.values()));
  }

  /** Asks the members that were not asked before, and returns the members that they know. */
  private List<Member> ask(List<Member> members, ExecutorService threads) {
    List<CompletableFuture<Answer>> asked = new ArrayList<>();
    for (Member member : new LinkedHashSet<>(members)) {
      if (!reports.containsKey(member.id()) && !silent.containsKey(member.id())) {
        asked.add(CompletableFuture.supplyAsync(() -> ask(member), threads));
      }
    }
    List<Member> known = new ArrayList<>();
    for (CompletableFuture<Answer> next : asked) {
      Answer answer = next.join();
      NodeId id = answer.member.id();
      AgentReport report = answer.report;
      if (report != null) {
        reports.put(id, report);
        silent.remove(id);
        known.addAll(report.members());
      } else if (!reports.containsKey(id)) {
        silent.put(id, new Unreachable(answer.member, answer.failure));
      }
    }
    return known;
  }

  private record Answer(Member member, @Nullable AgentReport report, String failure) {}

  private Answer ask(Member member) {
    try {
      AgentReport report = agents.ask(member);
      return report.id().equals(member.id())
          ? new Answer(member, report, "")
          : new Answer(member, null, "node " + report.id() + " answers there");
    } catch (AgentInquiry.FailedException e) {
      return new Answer(member, null, e.reason());
    }
  }
}
