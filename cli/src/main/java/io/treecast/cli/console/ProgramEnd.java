package io.treecast.cli.console;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Ends a program together with the processes that it has started, which would continue alone. */
public final class ProgramEnd {
  private ProgramEnd() {}

  /** Terminates them, and kills those that still run after a while. */
  public static void end(Process program, Duration patience) {
    List<ProcessHandle> processes = processes(program);
    processes.forEach(ProcessHandle::destroy);
    CompletableFuture<?> ended =
        CompletableFuture.allOf(
            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
    try {
      var unused = ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // They are killed below.
    }
    processes.forEach(ProcessHandle::destroyForcibly);
  }

  /** Kills them. */
  public static void kill(Process program) {
    processes(program).forEach(ProcessHandle::destroyForcibly);
  }

  /** Returns the program first, so that it starts no more. */
  private static List<ProcessHandle> processes(Process program) {
    return Stream.concat(Stream.of(program.toHandle()), program.descendants()).toList();
  }
}
