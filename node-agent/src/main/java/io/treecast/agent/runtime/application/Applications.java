package io.treecast.agent.runtime.application;

import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.status.StatusFrames;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The applications that an agent serves, with their calls of each kind. */
public record Applications(
    PublishCalls publishing,
    UploadCalls uploads,
    Subscribers subscribers,
    TreeWatchers watchers,
    ConfirmationWaiters waiters,
    CollectiveCalls collectives,
    ClaimCalls claims,
    ValueCalls values,
    GroupCalls groups,
    GroupQueries groupQueries) {

  /**
   * Creates an instance without applications.
   *
   * @param core supplies the agent's core, at each call
   * @param limits bounds of the data
   * @param collectivesLimits bounds of collective operations; applications may leave as many bytes
   *     of results unread
   * @param claimLimits bounds of claims
   * @param refusedBehind counts broadcasts that are refused because the loop is behind
   * @param notices receives reports of subscribers that keep publishers waiting
   */
  public static Applications of(
      NodeId self,
      Supplier<AgentCore> core,
      EventLoop loop,
      BroadcastLimits limits,
      CombiningLimits collectivesLimits,
      ClaimLimits claimLimits,
      LongAdder refusedBehind,
      Consumer<Notice> notices) {
    GroupCalls groups = new GroupCalls(self, core, loop);
    return new Applications(
        new PublishCalls(core, loop, limits.payloadBytes(), refusedBehind),
        new UploadCalls(core, loop, limits.uploads(), refusedBehind),
        new Subscribers(self, core, loop, limits, notices),
        new TreeWatchers(() -> StatusFrames.treeStatus(core.get().snapshot())),
        new ConfirmationWaiters(core),
        new CollectiveCalls(
            core, loop, collectivesLimits.operations(), collectivesLimits.totalBytes()),
        new ClaimCalls(core, loop, claimLimits.calls()),
        new ValueCalls(self, core, loop),
        groups,
        new GroupQueries(core, loop, groups));
  }

  /** Ends the streams that are no longer permitted. Accepted requests are still carried out. */
  public void permissionsChanged() {
    uploads.permissionsChanged();
    subscribers.permissionsChanged();
    watchers.permissionsChanged();
    claims.permissionsChanged();
    values.permissionsChanged();
    groups.permissionsChanged();
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  public void end() {
    publishing.end();
    uploads.end();
    subscribers.end();
    watchers.end();
    waiters.end();
    collectives.end();
    claims.end();
    values.end();
    groups.end();
  }
}
