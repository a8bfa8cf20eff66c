package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicTest {
  private static final Codec<Integer> DECIMAL =
      Codec.of(
          number -> {
            if (number < 0) {
              throw new IOException("no sign");
            }
            return number.toString().getBytes(UTF_8);
          },
          bytes -> Integer.valueOf(new String(bytes, UTF_8)));

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  @Test
  void values_arrive_in_order_and_a_payload_that_cannot_be_decoded_is_reported_and_skipped() {
    List<Object> heard = new CopyOnWriteArrayList<>();
    Subscription subscription =
        treecast
            .topic("", DECIMAL)
            .subscribe(
                new ValueHandler<>() {
                  @Override
                  public void onValue(Integer value, Message message) {
                    heard.add(value);
                  }

                  @Override
                  public void onUndecodable(Message message, Exception why) {
                    heard.add(message.text() + " " + why.getClass().getSimpleName());
                  }
                });
    subscription.ready().join();

    agent.sendMessage("h2", 1, "17");
    agent.sendMessage("h2", 2, "many");
    agent.sendMessage("h2", 3, "18");

    await().until(() -> heard.size() == 3);
    assertThat(heard).containsExactly(17, "many NumberFormatException", 18);
    assertThat(subscription.done()).isNotDone();
  }

  @Test
  void a_handler_that_throws_ends_the_subscription_like_one_of_messages() {
    Subscription subscription =
        treecast
            .topic("", DECIMAL)
            .subscribe(
                (value, message) -> {
                  throw new IllegalStateException("full");
                });
    subscription.ready().join();

    agent.sendMessage("h2", 1, "17");

    await().until(() -> subscription.done().isCompletedExceptionally());
  }

  @Test
  void a_value_that_cannot_be_encoded_is_refused_at_once() {
    Topic<Integer> topic = treecast.topic("prices", DECIMAL);
    assertThatThrownBy(() -> topic.broadcast(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasRootCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> treecast.topic("a\nb", DECIMAL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void text_that_is_not_utf8_is_an_error_and_not_another_text() throws Exception {
    Codec<String> text = Codec.utf8();
    assertThat(text.decode(text.encode("naïve 🌲"))).isEqualTo("naïve 🌲");
    for (byte[] payload : List.of(new byte[] {(byte) 0xff}, new byte[] {'a', (byte) 0xc3})) {
      assertThatThrownBy(() -> text.decode(payload)).isInstanceOf(CharacterCodingException.class);
    }
    assertThatThrownBy(() -> text.encode("\ud83c")).isInstanceOf(CharacterCodingException.class);
  }
}
