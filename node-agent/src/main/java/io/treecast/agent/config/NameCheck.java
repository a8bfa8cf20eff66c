package io.treecast.agent.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a start in plain text that host names are of this machine, on a thread of its own.
 * A name that the resolver does not know, or not in time, does not delay the start: each dial
 * checks it again.
 */
final class NameCheck {
  private static final long PATIENCE_MILLIS = 300;

  /** The system's resolver. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private NameCheck() {}

  /** Returns the first address whose host is known to be another machine; null if none is. */
  static @Nullable HostPort firstElsewhere(List<HostPort> addresses, Lookup lookup) {
    FutureTask<@Nullable HostPort> check =
        new FutureTask<>(
            () ->
                addresses.stream()
                    .filter(address -> isElsewhere(address.host(), lookup))
                    .findFirst()
                    .orElse(null));
    Thread thread = new Thread(check, "treecast-name-check");
    thread.setDaemon(true);
    thread.start();
    try {
      return check.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static boolean isElsewhere(String host, Lookup lookup) {
    try {
      return Arrays.stream(lookup.all(host)).noneMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
