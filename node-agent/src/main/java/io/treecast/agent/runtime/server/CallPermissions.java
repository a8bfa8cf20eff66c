package io.treecast.agent.runtime.server;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.PermissionsFile;
import io.treecast.agent.permission.PermissionGate;
import io.treecast.ghs.NodeId;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The permissions of an agent's callers, from a file that is read every minute. If a new file
 * cannot be used, the previous rules stay in force. For any thread; a thread of its own reads the
 * file.
 */
public final class CallPermissions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CallPermissions.class);

  private static final long LOOK_SECONDS = 60;

  private final NodeId id;
  private final Path file;
  private final PermissionGate gate;
  private final ScheduledExecutorService looking;

  private volatile Runnable replaced = () -> {};

  /** The reason why the file cannot be used now; null if its rules are in force. */
  private volatile @Nullable String problem;

  private CallPermissions(NodeId id, Path file) throws ConfigException {
    this.id = id;
    this.file = file;
    this.gate = new PermissionGate(PermissionsFile.read(file));
    this.looking =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "treecast-permissions-" + id);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Reads the configured file; null if there is none.
   *
   * @throws ConfigException if the file cannot be used
   */
  public static @Nullable CallPermissions of(AgentConfig config) throws ConfigException {
    Path file = config.permissions();
    if (file == null) {
      sayThatEverythingIsPermitted(config);
      return null;
    }
    try {
      return new CallPermissions(config.id(), file);
    } catch (ConfigException e) {
      throw new ConfigException("permissions: " + e.getMessage());
    }
  }

  private static void sayThatEverythingIsPermitted(AgentConfig config) {
    if (config.tls() != null) {
      log.info(
          "agent {} has no permissions: every holder of a trusted certificate may do everything",
          config.id());
    }
    HostPort admin = config.admin();
    if (admin != null && !admin.isLoopback()) {
      log.warn(
          "the admin pages of agent {} at {} are plain text for everybody", config.id(), admin);
    }
  }

  /**
   * Reads the file every minute, until this is closed.
   *
   * @param afterwards runs whenever new rules have come into force
   */
  public void watch(Runnable afterwards) {
    replaced = afterwards;
    var unusedAsItEndsByClose =
        looking.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns the permissions in force. */
  public PermissionGate gate() {
    return gate;
  }

  /** Returns whether the file cannot be used and previous rules are in force. */
  public boolean isStale() {
    return problem != null;
  }

  /** Reads the file, and puts its rules in force if they are valid. */
  public void look() {
    try {
      gate.replace(PermissionsFile.read(file));
      if (problem != null) {
        log.info("permissions of agent {}: the rules of {} are in force", id, file);
      }
      problem = null;
      replaced.run();
    } catch (ConfigException e) {
      String now = String.valueOf(e.getMessage());
      if (!now.equals(problem)) {
        log.warn("permissions of agent {}: {}; the previous rules stay in force", id, now);
      }
      problem = now;
    } catch (RuntimeException e) {
      // Otherwise the executor would swallow the exception and never run the task again.
      log.error("permissions of agent {}: {} cannot be read", id, file, e);
    }
  }

  @Override
  public void close() {
    looking.shutdownNow();
  }
}
