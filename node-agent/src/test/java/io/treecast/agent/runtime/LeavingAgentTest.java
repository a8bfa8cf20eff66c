package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.PayloadSink;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A leaving agent hands over its messages before it ends, or warns. */
class LeavingAgentTest {
  private static final int LARGEST_MESSAGE = 100;

  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  /** Writes down what comes. */
  private static final class Diary implements MessageHandler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(Message message) {
      lines.add("message");
    }

    @Override
    public PayloadSink onLargeMessage(MessageId messageId) {
      return new PayloadSink() {
        @Override
        public void chunk(ByteBuffer bytes) {
          lines.add("chunk");
        }

        @Override
        public void complete() {
          lines.add("complete");
        }

        @Override
        public void failed(TreecastException why) {
          lines.add("failed");
        }
      };
    }
  }

  @Test
  void receivers_of_an_upload_under_way_have_been_told_of_its_end() {
    List<Agent> pair = agents.startReadyCluster(2);
    Diary diary = new Diary();
    try (Treecast stayer =
            Treecast.builder(pair.get(0).address().toString())
                .maxMessageBytes(LARGEST_MESSAGE)
                .connect();
        Treecast leaver = Treecast.connect(pair.get(1).address().toString());
        SubmissionPublisher<ByteBuffer> payload = new SubmissionPublisher<>()) {
      stayer.subscribe(diary).ready().join();
      var upload = leaver.upload(payload, BroadcastOptions.defaults().withWait(PATIENCE));
      await().atMost(PATIENCE).until(payload::hasSubscribers);
      payload.submit(ByteBuffer.allocate(2 * LARGEST_MESSAGE));
      await().atMost(PATIENCE).until(() -> diary.lines.contains("chunk"));

      pair.get(1).close();
      stayer.broadcast(new byte[LARGEST_MESSAGE]).join();

      await().atMost(PATIENCE).until(() -> diary.lines.contains("message"));
      assertThat(diary.lines).containsExactly("chunk", "failed", "message");
      await().atMost(PATIENCE).until(upload::isCompletedExceptionally);
    }
  }

  @Test
  void publishers_that_wait_for_replicas_hear_how_many_there_are() throws Exception {
    List<Agent> pair = agents.startReadyCluster(2);
    BroadcastOptions options =
        BroadcastOptions.defaults().withWait(Duration.ofMinutes(10)).withReplicas(2);
    try (Treecast leaver = Treecast.connect(pair.get(1).address().toString())) {
      var broadcast = leaver.broadcast(new byte[1], options);
      var upload = leaver.upload(new ByteArrayInputStream(new byte[1]), options);
      await()
          .atMost(PATIENCE)
          .until(() -> TestAgents.snapshot(pair.get(0)).broadcast().receiptMessages() == 2);
      // Its receipt comes after theirs.
      leaver
          .broadcast(new byte[1], options.withReplicas(1))
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

      pair.get(1).close();

      assertThat(List.of(broadcast, upload))
          .allSatisfy(
              waiting ->
                  assertThatThrownBy(() -> waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                      .cause()
                      .isInstanceOfSatisfying(
                          TreecastException.class,
                          failure -> {
                            assertThat(failure.reason()).isEqualTo(Reason.NOT_REPLICATED);
                            assertThat(failure.accepted())
                                .isNotNull()
                                .returns(1, BroadcastResult::replicas);
                          }));
    }
  }

  /** Returns the warnings of an ending agent whose broadcast the other does not take. */
  private List<String> warningsOf(Consumer<Agent> end) {
    List<Agent> pair = agents.startReadyCluster(2);
    pair.get(0).pause();
    try (Treecast leaver = Treecast.connect(pair.get(1).address().toString())) {
      leaver.broadcast(new byte[1]).join();
    }
    Logger logger = (Logger) LoggerFactory.getLogger(Agent.class);
    Thread ending = Thread.currentThread();
    ListAppender<ILoggingEvent> logged =
        new ListAppender<>() {
          @Override
          protected void append(ILoggingEvent event) {
            // Agents of other tests are closed meanwhile, on their threads.
            if (Thread.currentThread().equals(ending)) {
              super.append(event);
            }
          }
        };
    logged.start();
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    logger.addAppender(logged);
    try {
      end.accept(pair.get(1));
    } finally {
      logger.detachAppender(logged);
      logger.setAdditive(true);
      logger.setLevel(null);
    }
    return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void an_agent_that_leaves_with_data_that_others_lack_warns() {
    assertThat(warningsOf(Agent::close)).hasSize(1);
  }

  @Test
  void an_agent_that_ends_with_all_others_does_not_wait() {
    assertThat(warningsOf(Agent::closeWithAllOthers)).isEmpty();
  }
}
