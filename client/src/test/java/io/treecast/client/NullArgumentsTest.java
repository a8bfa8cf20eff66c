package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A null argument fails at once and is named, not later on another thread. */
@SuppressWarnings("NullAway") // Null arguments are the subject.
class NullArgumentsTest {
  private static final BroadcastOptions OPTIONS = BroadcastOptions.defaults();

  private static void assertNamed(String name, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
  }

  @Test
  void null_addresses_and_topics_are_refused_by_name() {
    assertNamed("agent", () -> Treecast.connect((String) null));
    assertNamed("topic", () -> OPTIONS.withTopic(null));
  }

  @Test
  void null_parts_of_options_are_refused_by_name() {
    SubscribeOptions options = SubscribeOptions.defaults();
    assertNamed("start", () -> options.withStart(null));
    assertNamed("whenSlow", () -> options.withWhenSlow(null));
    assertNamed("topics", () -> options.withTopics((String[]) null));
    assertNamed("topic", () -> options.withTopics("prices", null));
    assertNamed("positions", () -> new SubscriptionStart.After(null));
    assertNamed("wait", () -> OPTIONS.withWait(null));
    assertNamed("who", () -> OPTIONS.withConfirm(null, Duration.ofSeconds(1)));
    assertNamed("deadline", () -> OPTIONS.withConfirm(Confirm.ALL, null));
    assertNamed("token", () -> OPTIONS.withRetryToken(null));
  }

  @Test
  void null_texts_to_parse_are_refused_by_name() {
    assertNamed("text", () -> RetryToken.parse(null));
    assertNamed("text", () -> Positions.parse(null));
    assertNamed("text", () -> MessageId.parse(null));
  }

  @Test
  void null_settings_are_refused_by_name() {
    TreecastBuilder builder = Treecast.builder("127.0.0.1:1");
    assertNamed("wait", () -> builder.defaultWait(null));
    assertNamed("first", () -> builder.reconnectDelay(null, Duration.ofSeconds(1)));
    assertNamed("longest", () -> builder.reconnectDelay(Duration.ofSeconds(1), null));
    assertNamed("executor", () -> builder.handlerExecutor(null));
  }

  @Test
  void null_handlers_options_and_payloads_are_refused_by_name() {
    try (Treecast treecast = Treecast.connect("127.0.0.1:1")) {
      assertNamed("handler", () -> treecast.subscribe(null));
      assertNamed("options", () -> treecast.subscribe(null, message -> {}));
      assertNamed("handler", () -> treecast.watchTree(null));
      assertNamed(
          "onMissed", () -> treecast.blocking().subscribe(SubscribeOptions.defaults(), null));
      assertNamed("payload", () -> treecast.broadcast(null));
      assertNamed("options", () -> treecast.broadcast(new byte[1], (BroadcastOptions) null));
      assertNamed("payload", () -> treecast.upload((java.io.InputStream) null, OPTIONS));
      assertNamed("file", () -> treecast.upload((Path) null, OPTIONS));
    }
  }

  @Test
  void null_arguments_of_collective_operations_are_refused_by_name() {
    CollectiveOptions options = CollectiveOptions.defaults();
    assertNamed("wait", () -> options.withWait(null));
    assertNamed("members", () -> options.among(null));
    assertNamed("token", () -> options.withRetryToken(null));
    try (Treecast treecast = Treecast.connect("127.0.0.1:1")) {
      Collectives collectives = treecast.collectives();
      assertNamed("name", () -> collectives.barrier(null));
      assertNamed("options", () -> collectives.barrier("b", null));
      assertNamed("reduction", () -> collectives.allReduce("r", (LongReduction) null, new long[1]));
      assertNamed("vector", () -> collectives.allReduce("r", LongReduction.SUM, null));
      assertNamed("vector", () -> collectives.allReduce("r", DoubleReduction.SUM, null));
      assertNamed("to", () -> collectives.reduce("r", null, LongReduction.MIN, new long[1]));
      assertNamed("to", () -> collectives.gather("g", null, new byte[1]));
      assertNamed("payload", () -> collectives.allGather("g", null));
      assertNamed("parts", () -> collectives.scatter("s", null));
      assertNamed(
          "part for h1", () -> collectives.scatter("s", Collections.singletonMap("h1", null)));
      assertNamed("from", () -> collectives.receive("s", null));
    }
  }
}
