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
 * @param snapshots asks its loop for its state
 * @param explanations asks its loop why a link is in a tree, or is not
 * @param series its measurements on disk; null if it keeps none
 * @param history the trees that it had
 * @param topics asks its loop which topics are in use
 * @param labels asks its loop for the labels of all members, by member and name
 * @param groups asks the root of the tree for all groups
 * @param group asks the root for the view of a group
 * @param nowNanos its clock
 * @param startedNanos when it started, by that clock
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
