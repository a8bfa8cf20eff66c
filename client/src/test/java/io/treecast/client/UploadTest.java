package io.treecast.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class UploadTest {
  private static final BroadcastOptions LONG =
      BroadcastOptions.defaults().withWait(Duration.ofSeconds(30));
  private static final BroadcastOptions CONFIRMED =
      LONG.withConfirm(Confirm.ALL, Duration.ofSeconds(60));

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final BlockingTreecast blocking = treecast.blocking();

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private ScriptedUpload accepted() {
    await().until(() -> agent.uploads.size() == 1);
    return agent.uploads.get(0);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static void assertFails(CompletableFuture<?> future, Reason reason) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void a_stream_is_sent_piece_by_piece_with_its_checksum_at_the_end() throws Exception {
    var result = treecast.upload(new ByteArrayInputStream("123456789".getBytes(US_ASCII)), LONG);
    ScriptedUpload upload = accepted();
    upload.answer.request(1_000);

    assertThat(get(result))
        .isEqualTo(
            new BroadcastResult(
                new MessageId(ScriptedAgent.NODE_ID, ScriptedAgent.INCARNATION, 7),
                3,
                new DisseminationTree(TreeMetric.BANDWIDTH, 9),
                0,
                null));
    assertThat(upload.requests.get(0).getBegin().getWaitMillis()).isBetween(1L, 30_000L);
    assertThat(upload.requests.get(1).getPiece().toStringUtf8()).isEqualTo("123456789");
    // From RFC 3720.
    assertThat(upload.requests.get(2).getEnd().getCrc32C()).isEqualTo(0xe3069283);
  }

  @Test
  void a_file_is_sent_in_pieces_of_64_kib(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[200_000]);
    var result = treecast.upload(file, LONG);
    accepted().answer.request(1_000);
    get(result);
    assertThat(accepted().pieceBytes()).isEqualTo(200_000);
    assertThat(accepted().requests)
        .allSatisfy(r -> assertThat(r.getPiece().size()).isLessThanOrEqualTo(65_536));
  }

  @Test
  void a_file_that_is_not_there_is_an_error_at_once(@TempDir Path directory) {
    Path file = directory.resolve("f");
    assertThatThrownBy(() -> treecast.upload(file, LONG))
        .isInstanceOfSatisfying(
            NoSuchFileException.class, e -> assertThat(e.getReason()).isNotBlank())
        .hasMessageContaining(file.toString());
  }

  @Test
  void a_directory_is_an_error_at_once(@TempDir Path directory) {
    assertThatThrownBy(() -> treecast.upload(directory, LONG))
        .isInstanceOfSatisfying(
            FileSystemException.class, e -> assertThat(e.getReason()).isNotBlank())
        .hasMessageContaining(directory.toString());
    assertThat(agent.uploads).isEmpty();
  }

  @Test
  void a_blocking_upload_of_a_file_returns_its_result(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[200_000]);
    CompletableFuture<BroadcastResult> result = inBackground(() -> blocking.upload(file, LONG));
    accepted().answer.request(1_000);
    assertThat(get(result).treeVersion()).isEqualTo(3);
    assertThat(accepted().pieceBytes()).isEqualTo(200_000);
    assertThatThrownBy(() -> blocking.upload(directory.resolve("g"), LONG))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void a_blocking_upload_of_a_publisher_returns_its_result() throws Exception {
    CompletableFuture<BroadcastResult> result;
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      result = inBackground(() -> blocking.upload(publisher, LONG));
      accepted().answer.request(1_000);
      await().until(publisher::hasSubscribers);
      publisher.submit(ByteBuffer.allocate(5));
    }
    assertThat(get(result).treeVersion()).isEqualTo(3);
    assertThat(accepted().pieceBytes()).isEqualTo(5);
  }

  @Test
  void an_interrupted_upload_ends_and_reports_whether_it_may_have_been_accepted(
      @TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[200_000]);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> blocking.upload(file, LONG))
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED))
        .hasMessageContaining(agent.address())
        .hasMessageNotContaining("token");

    assertThat(Thread.interrupted()).isTrue();
  }

  private static CompletableFuture<BroadcastResult> inBackground(Callable<BroadcastResult> call) {
    CompletableFuture<BroadcastResult> result = new CompletableFuture<>();
    var unused =
        CompletableFuture.runAsync(
            () -> {
              try {
                result.complete(call.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  @Test
  void a_large_buffer_of_a_publisher_is_cut() throws Exception {
    CompletableFuture<BroadcastResult> result;
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      result = treecast.upload(publisher, LONG);
      accepted().answer.request(1_000);
      await().until(publisher::hasSubscribers);
      publisher.submit(ByteBuffer.allocate(1_000_000));
      publisher.submit(ByteBuffer.allocate(0));
      publisher.submit(ByteBuffer.allocate(1));
    }
    get(result);
    assertThat(accepted().pieceBytes()).isEqualTo(1_000_001);
  }

  @Test
  void no_more_is_read_than_the_connection_holds_while_the_agent_reads_nothing() {
    AtomicLong read = new AtomicLong();
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            read.addAndGet(length);
            return length;
          }
        };
    var result = treecast.upload(endless, LONG);
    accepted();
    await().until(() -> read.get() > 0);
    await().during(Duration.ofMillis(500)).until(() -> read.get() < 16 << 20);
    result.cancel(true);
    await().until(() -> accepted().cancelled);
  }

  @ParameterizedTest
  @MethodSource("whatStreamsThrow")
  void a_payload_that_fails_ends_the_call_with_the_reason(Throwable error) {
    var result = treecast.upload(new BrokenStream(error), LONG);
    assertThatThrownBy(() -> get(result)).hasMessageContaining("bad-sector");
    assertFails(result, Reason.INCOMPLETE);
    await().until(() -> accepted().cancelled);
  }

  static List<Throwable> whatStreamsThrow() {
    return List.of(
        new IOException("bad-sector"),
        new UncheckedIOException(new IOException("bad-sector")),
        new InternalError("bad-sector"),
        new ReflectiveOperationException("bad-sector"));
  }

  @Test
  void cancelling_an_upload_that_members_are_to_confirm_ends_its_call() {
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      var result = treecast.upload(publisher, CONFIRMED);
      accepted();
      await().until(publisher::hasSubscribers);

      assertThat(result.cancel(false)).isTrue();

      await().until(() -> accepted().cancelled);
      await().until(() -> !publisher.hasSubscribers());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_file_is_closed_when_the_agent_has_all_of_it(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[200_000]);
    var result = treecast.upload(file, CONFIRMED);
    accepted();
    assertThat(isOpen(file)).isTrue();

    accepted().answer.request(1_000);

    await().until(() -> agent.confirmations.size() == 1 && !isOpen(file));
    assertThat(result).isNotDone();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_file_that_is_not_to_be_uploaded_is_not_left_open(@TempDir Path directory)
      throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[1]);
    assertThatThrownBy(() -> treecast.upload(file, LONG.withRetryToken(RetryToken.create())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("token");
    assertThat(isOpen(file)).isFalse();
  }

  private static boolean isOpen(Path file) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.anyMatch(descriptor -> isTheSame(descriptor, file));
    }
  }

  private static boolean isTheSame(Path descriptor, Path file) {
    try {
      return Files.isSameFile(descriptor, file);
    } catch (IOException e) {
      return false; // The descriptor was closed meanwhile, or is not a file.
    }
  }

  @Test
  void a_publisher_that_throws_fails_its_upload_and_harms_no_other_call() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      var broken =
          early.upload(
              subscriber -> {
                throw new IllegalStateException("bad sector");
              },
              LONG);
      var behindIt = early.broadcast(new byte[3]);
      late.start();

      assertFails(broken, Reason.INCOMPLETE);
      assertThat(get(behindIt).treeVersion()).isEqualTo(3);
    }
  }

  @Test
  void a_publisher_that_blocks_holds_up_no_other_call() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    List<String> threads = new CopyOnWriteArrayList<>();
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      var blocked =
          early.upload(
              subscriber -> {
                threads.add(Thread.currentThread().getName());
                awaitUninterruptibly(release);
                throw new IllegalStateException("bad sector");
              },
              LONG);
      RecordingHandler handler = new RecordingHandler();
      Subscription subscription = early.subscribe(handler);
      late.start();
      await().until(() -> threads.size() == 1 && subscription.ready().isDone());
      // The connection is lost, and the client's timer opens another one.
      late.stop();
      await().until(() -> handler.heard.contains("interrupted"));
      var waiting = early.broadcast(new byte[3]);
      late.start();

      assertThat(get(waiting).treeVersion()).isEqualTo(3);
      assertThat(threads).containsExactly("treecast-upload-" + late.address());
      release.countDown();
      assertFails(blocked, Reason.INCOMPLETE);
    } finally {
      release.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_publisher_that_throws_when_it_is_asked_fails_its_upload() {
    var result = treecast.upload(subscriber -> subscriber.onSubscribe(new Unwilling()), LONG);
    assertFails(result, Reason.INCOMPLETE);
    await().until(() -> accepted().cancelled);
  }

  private static final class Unwilling implements Flow.Subscription {
    @Override
    public void request(long count) {
      throw new AssertionError("bad sector");
    }

    @Override
    public void cancel() {}
  }

  /** Throws the given exception whenever it is read. */
  private static final class BrokenStream extends InputStream {
    private final Throwable error;

    BrokenStream(Throwable error) {
      this.error = error;
    }

    @Override
    public int read() {
      SubscriptionTest.throwUndeclared(error);
      return -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return read();
    }
  }

  @Test
  void a_lost_connection_before_the_end_means_that_the_broadcast_was_abandoned() {
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      var result = treecast.upload(publisher, LONG);
      accepted();
      agent.stop();
      assertFails(result, Reason.INCOMPLETE);
    }
  }

  @Test
  void a_refused_upload_fails_as_a_refused_broadcast() {
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      var result = treecast.upload(publisher, LONG);
      accepted().answer.onError(AgentRefusal.of("NO_ROOM", "limits.uploads"));
      assertFails(result, Reason.BUFFER_FULL);
    }
  }

  @Test
  void an_agent_that_shuts_down_has_not_taken_all() {
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      var result = treecast.upload(publisher, LONG);
      accepted().answer.onError(AgentRefusal.of("SHUTTING_DOWN", "goodbye"));
      assertFails(result, Reason.INCOMPLETE);
    }
  }

  @Test
  void without_an_agent_it_waits_as_long_as_it_may() {
    try (ScriptedAgent stopped = ScriptedAgent.stopped();
        Treecast alone = Treecast.connect(stopped.address())) {
      var result =
          alone.upload(
              new ByteArrayInputStream(new byte[1]),
              BroadcastOptions.defaults().withWait(Duration.ofMillis(200)));
      assertFails(result, Reason.AGENT_UNREACHABLE);
    }
  }

  @Test
  void a_call_that_does_not_leave_waits_no_longer_than_it_may() {
    try (ScriptedAgent strict = ScriptedAgent.running(1);
        Treecast client = Treecast.connect(strict.address())) {
      strict.onBroadcast((request, answer) -> {});
      var holdsTheOnlyCall = client.broadcast(new byte[1], Duration.ofMinutes(5));
      await().until(() -> strict.answers.size() == 1);

      var result =
          client.upload(
              new ByteArrayInputStream(new byte[1]),
              BroadcastOptions.defaults().withWait(Duration.ofMillis(200)));

      assertFails(result, Reason.AGENT_UNREACHABLE);
      assertThat(strict.uploads).isEmpty();
      assertThat(holdsTheOnlyCall).isNotDone();
    }
  }

  @Test
  void closing_the_client_ends_its_uploads() {
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      var result = treecast.upload(publisher, LONG);
      accepted();
      treecast.close();
      assertFails(result, Reason.CLOSED);
      assertFails(treecast.upload(publisher, LONG), Reason.CLOSED);
    }
  }
}
