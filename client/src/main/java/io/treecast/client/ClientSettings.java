package io.treecast.client;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The checked settings of a {@link TreecastBuilder}, whose methods document them. */
record ClientSettings(
    AgentAddresses agents,
    Duration defaultWait,
    int maxPayloadBytes,
    long maxPendingBytes,
    long maxAssemblyBytes,
    int maxMessageBytes,
    Duration firstReconnectDelay,
    Duration maxReconnectDelay,
    @Nullable Executor handlerExecutor,
    ConnectionSecurity security) {}
