package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.collectives.broadcast.contract.TopicUse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
 * @param nowNanos its clock
 * @param startedNanos when it started, by that clock
 */
public record AdminSources(
    Supplier<CompletableFuture<AgentSnapshot>> snapshots,
    AdminEndpoint.Explanations explanations,
    @Nullable SeriesFiles series,
    TreeHistory history,
    Supplier<CompletableFuture<List<TopicUse>>> topics,
    LongSupplier nowNanos,
    long startedNanos) {}
