package io.treecast.agent.transport.connection;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.treecast.agent.config.ServiceName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Resolves the host of a dialed address, or the SRV records of a {@linkplain ServiceName service},
 * for each dial, and selects its IP addresses in turn. So a dead address, or that of this agent
 * itself, costs one dial; gRPC's own resolver would try the first one each time. Stateless.
 */
final class AddressTurns extends NameResolverProvider {
  private static final String SCHEME = "treecast-turn";

  /** The mark of a target that may only lead to this machine. */
  private static final String THIS_MACHINE = "here-";

  /** The system's resolver. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private final Lookup lookup;
  private final ServiceRecords records;

  AddressTurns(Lookup lookup, ServiceRecords records) {
    this.lookup = lookup;
    this.records = records;
  }

  /** Registers {@link #target} with gRPC. */
  static void register() {
    NameResolverRegistry.getDefaultRegistry()
        .register(new AddressTurns(InetAddress::getAllByName, ServiceRecords.ofSystem()));
  }

  /**
   * Returns the target for gRPC.
   *
   * @param turn the number of earlier dials of this address
   * @param onlyThisMachine whether other machines must not be dialed
   */
  static String target(String address, int turn, boolean onlyThisMachine) {
    return SCHEME + ":///" + address + "?" + (onlyThisMachine ? THIS_MACHINE : "") + turn;
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  /** Lower than that of gRPC's own resolver, which stays the default. */
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
    boolean isService = ServiceName.is(address);
    boolean onlyThisMachine = target.getQuery().startsWith(THIS_MACHINE);
    int turn = Integer.parseInt(target.getQuery().replace(THIS_MACHINE, ""));
    Executor given = args.getOffloadExecutor();
    Executor executor =
        given == null ? task -> new Thread(task, "treecast-resolver").start() : given;
    return new NameResolver() {
      @Override
      public String getServiceAuthority() {
        // gRPC expects the name of a host, which the name of a service is not.
        return isService ? ServiceName.domain(address) : address;
      }

      @Override
      public void start(Listener2 listener) {
        executor.execute(() -> resolve(address, isService, turn, onlyThisMachine, listener));
      }

      @Override
      public void shutdown() {
        // A lookup under way ends by itself.
      }
    };
  }

  private void resolve(
      String address,
      boolean isService,
      int turn,
      boolean onlyThisMachine,
      NameResolver.Listener2 listener) {
    try {
      InetSocketAddress taken =
          isService
              ? ofService(records.of(address), turn, onlyThisMachine)
              : ofHost(address, turn, onlyThisMachine);
      listener.onResult(
          NameResolver.ResolutionResult.newBuilder()
              .setAddressesOrError(StatusOr.fromValue(List.of(new EquivalentAddressGroup(taken))))
              .build());
    } catch (UnknownHostException e) {
      listener.onError(Status.UNAVAILABLE.withDescription(e.getMessage()));
    }
  }

  private InetSocketAddress ofHost(String address, int turn, boolean onlyThisMachine)
      throws UnknownHostException {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    return one(host, Integer.parseInt(address.substring(colon + 1)), turn, onlyThisMachine);
  }

  /** Selects the records in turn, and after a full turn the next address of each. */
  private InetSocketAddress ofService(
      List<ServiceRecords.Place> places, int turn, boolean onlyThisMachine)
      throws UnknownHostException {
    ServiceRecords.Place place = places.get(Math.floorMod(turn, places.size()));
    return one(place.host(), place.port(), turn / places.size(), onlyThisMachine);
  }

  private InetSocketAddress one(String host, int port, int turn, boolean onlyThisMachine)
      throws UnknownHostException {
    List<InetAddress> all;
    try {
      all = Arrays.asList(lookup.all(host));
    } catch (UnknownHostException e) {
      UnknownHostException named = new UnknownHostException("the name " + host + " is not known");
      named.initCause(e);
      throw named;
    }
    if (onlyThisMachine) {
      all = all.stream().filter(InetAddress::isLoopbackAddress).toList();
    }
    if (all.isEmpty()) {
      throw new UnknownHostException(
          "the name "
              + host
              + " is not of this machine, and agents talk in plain text: set tls or insecure");
    }
    return new InetSocketAddress(all.get(Math.floorMod(turn, all.size())), port);
  }
}
