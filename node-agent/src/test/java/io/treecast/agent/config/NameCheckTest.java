package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class NameCheckTest {
  private static final HostPort HERE = new HostPort("here.example", 1);
  private static final HostPort THERE = new HostPort("there.example", 1);

  private static InetAddress[] lookUp(String host) throws UnknownHostException {
    return switch (host) {
      case "here.example" -> new InetAddress[] {ip(host, 10), ip(host, 127)};
      case "there.example" -> new InetAddress[] {ip(host, 10)};
      default -> throw new UnknownHostException(host);
    };
  }

  private static InetAddress ip(String host, int first) throws UnknownHostException {
    return InetAddress.getByAddress(host, new byte[] {(byte) first, 0, 0, 1});
  }

  @Test
  void a_name_of_other_machines_only_is_elsewhere() {
    assertThat(NameCheck.firstElsewhere(List.of(HERE, THERE), NameCheckTest::lookUp))
        .isEqualTo(THERE);
    assertThat(NameCheck.firstElsewhere(List.of(HERE), NameCheckTest::lookUp)).isNull();
  }

  @Test
  void a_name_that_is_not_known_yet_is_left_to_the_dials() {
    HostPort unknown = new HostPort("unknown.example", 1);
    assertThat(NameCheck.firstElsewhere(List.of(unknown), NameCheckTest::lookUp)).isNull();
  }

  @Test
  void a_resolver_that_does_not_answer_holds_up_no_start() {
    CountDownLatch never = new CountDownLatch(1);
    HostPort found =
        NameCheck.firstElsewhere(
            List.of(THERE),
            host -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new UnknownHostException(host);
              }
              return lookUp(host);
            });
    assertThat(found).isNull();
    never.countDown();
  }
}
