package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.collectives.broadcast.contract.TopicUse;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.proto.v1.ListGroupsResponse;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of an agent that operators can read.
 *
 * @param snapshots queries the loop for the agent's state
 * @param explanations queries the loop for the reason why a link is in a tree, or is not
 * @param series the agent's measurements on disk; null if it keeps none
 * @param history the agent's past trees
 * @param topics queries the loop for the topics in use
 * @param labels queries the loop for the labels of all members, by member and name
 * @param groups queries the root of the tree for all groups
 * @param group queries the root for the view of a group
 * @param nowNanos the agent's clock
 * @param startedNanos the agent's start, by that clock
 */
public record AdminSources(
    Supplier<CompletableFuture<AgentSnapshot>> snapshots,
    AdminEndpoint.Explanations explanations,
    @Nullable SeriesFiles series,
    TreeHistory history,
    Supplier<CompletableFuture<List<TopicUse>>> topics,
    Supplier<CompletableFuture<SortedMap<String, SortedMap<String, String>>>> labels,
    Supplier<CompletableFuture<ListGroupsResponse>> groups,
    Function<GroupPath, CompletableFuture<GroupView>> group,
    LongSupplier nowNanos,
    long startedNanos) {}
