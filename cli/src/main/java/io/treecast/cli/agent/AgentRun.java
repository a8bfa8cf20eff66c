package io.treecast.cli.agent;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.agent.runtime.loop.NoticeLog;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.ProcessOutput;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One agent from its start to its end, on the thread that calls {@link #run}. It ends when that
 * thread is interrupted, as a signal to the process does, or when the agent fails.
 */
final class AgentRun {
  /** Pause before the next snapshot of a busy agent. */
  private static final long BUSY_MILLIS = 100;

  private final AgentConfig config;
  private final LifecycleEvents events;
  private final NoticeLog log = new NoticeLog();

  // Wake-ups: one waiting token stands for all events until it is taken.
  private final BlockingQueue<Boolean> happened = new ArrayBlockingQueue<>(1);

  AgentRun(AgentConfig config, LifecycleEvents events) {
    this.config = config;
    this.events = events;
  }

  /**
   * Runs the agent.
   *
   * @return {@link ExitCode#OK} if it has left because of a signal
   * @throws CommandFailure if it cannot start, or fails
   */
  int run() {
    return EndAtSignal.run(this::runUntilInterrupted);
  }

  private int runUntilInterrupted() {
    warnOfSmallHeap();
    try (Agent agent = start()) {
      FatalErrors.requireSpareThreads();
      events.up(
          agent.address(),
          agent.adminAddress(),
          config.servesPagesByTls(),
          config.membership().seeds());
      var unused = agent.stopped().thenRun(() -> happened.offer(true));
      follow(agent);
    }
    events.left();
    return ExitCode.OK;
  }

  private void warnOfSmallHeap() {
    String warning =
        HeapNeed.warning(
            config.broadcast().memoryBytes(),
            config.collectives().totalBytes(),
            Runtime.getRuntime().maxMemory());
    if (warning != null) {
      events.warning(warning);
    }
  }

  private Agent start() {
    AgentOptions standard = AgentOptions.standard();
    try {
      return Agent.start(
          config,
          new AgentOptions(standard.registry(), standard.emulation(), this::noticed)
              .crashingBy(this::crash));
    } catch (ConfigException e) {
      throw AgentFlags.refused(e);
    }
  }

  /** Ends the process after one line of explanation. Runs on a thread of its own. */
  private void crash() {
    events.crashes();
    ProcessOutput.drain();
    Runtime.getRuntime().halt(ExitCode.KILLED);
  }

  /** Logs a notice, unless the command prints it. Runs on the agent's loop. */
  private void noticed(Notice notice) {
    if (notice.kind() == Notice.Kind.TREE_COMMITTED) {
      happened.offer(true);
    } else if (notice.severity() != Notice.Severity.FATAL) {
      log.accept(notice);
    }
  }

  /** Prints events until this thread is interrupted. */
  private void follow(Agent agent) {
    try {
      while (true) {
        happened.take();
        if (agent.stopped().isDone()) {
          String reason = agent.stopped().join();
          events.stopped(reason);
          throw CommandFailure.failed("agent " + config.id() + " stopped: " + reason);
        }
        printStatus(agent);
      }
    } catch (InterruptedException e) {
      // The agent leaves. The interrupt flag stays clear, so that closing can wait for
      // acknowledgements.
    }
  }

  private void printStatus(Agent agent) throws InterruptedException {
    CompletableFuture<AgentSnapshot> snapshot = agent.snapshot();
    try {
      CompletableFuture.anyOf(snapshot, agent.stopped()).get();
      if (snapshot.isDone()) {
        events.status(snapshot.join());
      }
    } catch (ExecutionException e) {
      TimeUnit.MILLISECONDS.sleep(BUSY_MILLIS);
      happened.offer(true);
    }
  }
}
