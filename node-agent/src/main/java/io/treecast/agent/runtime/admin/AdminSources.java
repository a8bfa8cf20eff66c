package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.runtime.series.SeriesFiles;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an agent tells operators of itself.
 *
 * @param snapshots asks its loop where it stands
 * @param explanations asks its loop why a link is in a tree, or is not
 * @param series what it has measured, on disk; null if it keeps none
 * @param history the trees that it had
 */
public record AdminSources(
    Supplier<CompletableFuture<AgentSnapshot>> snapshots,
    AdminEndpoint.Explanations explanations,
    @Nullable SeriesFiles series,
    TreeHistory history) {}
