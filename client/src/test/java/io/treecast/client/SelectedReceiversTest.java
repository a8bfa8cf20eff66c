package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options of broadcasts to selected members. */
class SelectedReceiversTest {
  private static final MessageId MESSAGE = new MessageId("h1", 7, "to/h2,h3", 0, 1);

  @Test
  void members_are_named_by_the_topic() {
    BroadcastOptions options = BroadcastOptions.to("h3", "h2", "h3");

    assertThat(options.topic()).isEqualTo("to/h2,h3");
    assertThat(options.isForSelected()).isTrue();
    assertThat(options.withConfirm(Confirm.ALL, Duration.ofSeconds(1)).isConfirmed()).isTrue();
    assertThat(options).isEqualTo(BroadcastOptions.to("h2", "h3"));
    assertThat(new Message(MESSAGE, new byte[0]).receivers()).containsExactly("h2", "h3");
  }

  @Test
  void a_topic_may_follow_the_members() {
    String topic = TopicName.to(List.of("h2", "h3"), "prices/eu");
    BroadcastOptions options =
        BroadcastOptions.defaults()
            .withTopic(topic)
            .withConfirm(Confirm.ALL, Duration.ofSeconds(1));
    MessageId message = new MessageId("h1", 7, topic, 0, 1);

    assertThat(options.topic()).isEqualTo("to/h2,h3/prices/eu");
    assertThat(new Message(message, new byte[0]).receivers()).containsExactly("h2", "h3");
  }

  @Test
  void a_selector_stays_until_members_are_known() {
    BroadcastOptions options =
        BroadcastOptions.to(Selector.parse("gpu>=4"))
            .withConfirm(Confirm.ALL, Duration.ofSeconds(1))
            .withWait(Duration.ofSeconds(2));

    assertThat(options.selector()).isEqualTo(Selector.parse("gpu>=4"));
    assertThat(options.topic()).isEmpty();
    assertThat(options).isNotEqualTo(BroadcastOptions.defaults());
    assertThat(options.toString()).contains("gpu>=4");
    BroadcastOptions resolved = options.withReceivers(List.of("h2"));
    assertThat(resolved.selector()).isNull();
    assertThat(resolved.topic()).isEqualTo("to/h2");
    assertThat(resolved.isConfirmed()).isTrue();
  }

  @Test
  void other_names_than_ids_and_too_many_of_them_are_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> BroadcastOptions.to("h 2"));
    assertThatIllegalArgumentException().isThrownBy(() -> BroadcastOptions.to(""));
    assertThatIllegalArgumentException().isThrownBy(() -> BroadcastOptions.to("h2/prices"));
    assertThatIllegalArgumentException().isThrownBy(() -> BroadcastOptions.to("x".repeat(65)));
    String[] many = new String[500];
    for (int i = 0; i < many.length; i++) {
      many[i] = "member" + i;
    }
    assertThatIllegalArgumentException().isThrownBy(() -> BroadcastOptions.to("h1", many));
  }

  @Test
  void a_subscription_to_a_selection_and_an_upload_to_one_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubscribeOptions.defaults().withTopics("to/h2"));
    try (Treecast treecast = Treecast.connect("127.0.0.1:1")) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> treecast.upload(InputStream.nullInputStream(), BroadcastOptions.to("h2")));
    }
  }
}
