package io.treecast.agent.transport;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.treecast.agent.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Resolves the host of a dialed address, again for each dial, and takes one of its IP addresses in
 * turn. So an address that is dead, or that of this agent itself, costs one dial; gRPC's own
 * resolver would have the first one tried each time. Stateless.
 */
final class AddressTurns extends NameResolverProvider {
  private static final String SCHEME = "treecast-turn";

  /** The system's resolver. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private final Lookup lookup;

  AddressTurns(Lookup lookup) {
    this.lookup = lookup;
  }

  /** Registers {@link #target} with gRPC. */
  static void register() {
    NameResolverRegistry.getDefaultRegistry().register(new AddressTurns(InetAddress::getAllByName));
  }

  /**
   * Returns the target for gRPC.
   *
   * @param turn counts the dials of this address, from 0
   */
  static String target(HostPort address, int turn) {
    return SCHEME + ":///" + address + "?" + turn;
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  /** Below that of gRPC's own, which stays the default. */
  @Override
  protected int priority() {
    return 1;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args args) {
    String address = target.getPath().substring(1);
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    int port = Integer.parseInt(address.substring(colon + 1));
    int turn = Integer.parseInt(target.getQuery());
    Executor given = args.getOffloadExecutor();
    Executor executor =
        given == null ? task -> new Thread(task, "treecast-resolver").start() : given;
    return new NameResolver() {
      @Override
      public String getServiceAuthority() {
        return address;
      }

      @Override
      public void start(Listener2 listener) {
        executor.execute(() -> resolve(host, port, turn, listener));
      }

      @Override
      public void shutdown() {
        // A lookup under way ends by itself.
      }
    };
  }

  private void resolve(String host, int port, int turn, NameResolver.Listener2 listener) {
    try {
      InetAddress[] all = lookup.all(host);
      InetSocketAddress taken = new InetSocketAddress(all[Math.floorMod(turn, all.length)], port);
      listener.onResult(
          NameResolver.ResolutionResult.newBuilder()
              .setAddressesOrError(StatusOr.fromValue(List.of(new EquivalentAddressGroup(taken))))
              .build());
    } catch (UnknownHostException e) {
      listener.onError(Status.UNAVAILABLE.withDescription("the name " + host + " is not known"));
    }
  }
}
