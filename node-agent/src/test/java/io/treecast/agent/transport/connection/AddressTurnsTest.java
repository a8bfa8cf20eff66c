package io.treecast.agent.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.NameResolver;
import io.grpc.Status;
import io.treecast.agent.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressTurnsTest {
  private static final HostPort ADDRESS = new HostPort("seeds.example", 7700);

  private final List<InetSocketAddress> taken = new ArrayList<>();
  private final List<Status> failures = new ArrayList<>();

  private static InetAddress ip(int last) {
    try {
      return InetAddress.getByAddress("seeds.example", new byte[] {10, 0, 0, (byte) last});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void dial(AddressTurns.Lookup lookup, int turn) {
    dial(lookup, turn, false);
  }

  private void dial(AddressTurns.Lookup lookup, int turn, boolean onlyThisMachine) {
    NameResolver.Args args =
        NameResolver.Args.newBuilder()
            .setDefaultPort(1)
            .setProxyDetector(target -> null)
            .setSynchronizationContext(
                new io.grpc.SynchronizationContext(
                    (thread, thrown) -> {
                      throw new AssertionError(thrown);
                    }))
            .setServiceConfigParser(
                new NameResolver.ServiceConfigParser() {
                  @Override
                  public NameResolver.ConfigOrError parseServiceConfig(
                      java.util.Map<String, ?> raw) {
                    return NameResolver.ConfigOrError.fromConfig(raw);
                  }
                })
            .setOffloadExecutor(Runnable::run)
            .build();
    NameResolver resolver =
        new AddressTurns(lookup, ServiceRecords.ofSystem())
            .newNameResolver(
                URI.create(AddressTurns.target(ADDRESS.toString(), turn, onlyThisMachine)), args);
    assertThat(resolver.getServiceAuthority()).isEqualTo("seeds.example:7700");
    resolver.start(
        new NameResolver.Listener2() {
          @Override
          public void onResult(NameResolver.ResolutionResult result) {
            result
                .getAddressesOrError()
                .getValue()
                .forEach(
                    group ->
                        group
                            .getAddresses()
                            .forEach(address -> taken.add((InetSocketAddress) address)));
          }

          @Override
          public void onError(Status error) {
            failures.add(error);
          }
        });
  }

  @Test
  void the_addresses_of_a_name_take_turns() {
    for (int turn = 0; turn < 4; turn++) {
      dial(host -> new InetAddress[] {ip(1), ip(2), ip(3)}, turn);
    }
    assertThat(taken)
        .containsExactly(
            new InetSocketAddress(ip(1), 7700),
            new InetSocketAddress(ip(2), 7700),
            new InetSocketAddress(ip(3), 7700),
            new InetSocketAddress(ip(1), 7700));
  }

  @Test
  void a_name_is_resolved_again_for_each_dial() {
    dial(host -> new InetAddress[] {ip(1)}, 0);
    dial(host -> new InetAddress[] {ip(9)}, 1);
    assertThat(taken)
        .containsExactly(new InetSocketAddress(ip(1), 7700), new InetSocketAddress(ip(9), 7700));
  }

  @Test
  void other_machines_are_not_dialed_where_agents_talk_in_plain_text() throws Exception {
    InetAddress here = InetAddress.getByAddress("seeds.example", new byte[] {127, 0, 0, 2});
    for (int turn = 0; turn < 3; turn++) {
      dial(host -> new InetAddress[] {ip(1), here, ip(2)}, turn, true);
    }
    assertThat(taken).hasSize(3).containsOnly(new InetSocketAddress(here, 7700));
    dial(host -> new InetAddress[] {ip(1)}, 3, true);
    assertThat(failures)
        .singleElement()
        .satisfies(status -> assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  @Test
  void a_name_that_is_not_known_fails_the_dial() {
    dial(
        host -> {
          throw new UnknownHostException(host);
        },
        0);
    assertThat(failures)
        .singleElement()
        .satisfies(status -> assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    assertThat(failures.get(0).getDescription()).contains("seeds.example");
  }
}
