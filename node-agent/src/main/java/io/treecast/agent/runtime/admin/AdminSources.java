package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.runtime.series.SeriesFiles;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of an agent that operators can read.
 *
 * @param snapshots asks its loop for its state
 * @param explanations asks its loop why a link is in a tree, or is not
 * @param series its measurements on disk; null if it keeps none
 * @param history the trees that it had
 */
public record AdminSources(
    Supplier<CompletableFuture<AgentSnapshot>> snapshots,
    AdminEndpoint.Explanations explanations,
    @Nullable SeriesFiles series,
    TreeHistory history) {}
