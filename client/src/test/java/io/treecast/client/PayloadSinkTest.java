package io.treecast.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.treecast.client.TreecastException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sinks of large messages. */
class PayloadSinkTest {
  private final TreecastException failure = new TreecastException(Reason.INCOMPLETE, "given up");

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII)).asReadOnlyBuffer();
  }

  @Test
  void a_file_has_its_name_once_it_is_complete(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("f");
    PayloadFile sink = PayloadFile.create(file);
    sink.chunk(bytes("ab"));
    sink.chunk(bytes("c"));
    assertThat(file).doesNotExist();
    assertThat(directory.resolve("f.part")).exists();

    sink.complete();
    assertThat(file).hasContent("abc");
    assertThat(directory.resolve("f.part")).doesNotExist();
  }

  @Test
  void no_file_is_left_of_a_message_that_fails(@TempDir Path directory) throws Exception {
    PayloadFile sink = PayloadFile.create(directory.resolve("f"));
    sink.chunk(bytes("ab"));
    sink.failed(failure);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void two_messages_are_not_written_to_one_file(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("f");
    PayloadFile first = PayloadFile.create(file);
    first.chunk(bytes("ab"));
    assertThatIOException()
        .isThrownBy(() -> PayloadFile.create(file))
        .withMessageContaining(file.toString());
    first.complete();
    assertThat(file).hasContent("ab");

    PayloadFile.create(file).complete();
    assertThat(file).as("replaced when it was complete").isEmptyFile();
  }

  @Test
  void a_file_that_cannot_be_created_is_an_error(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatIOException().isThrownBy(() -> PayloadFile.create(file.resolve("f")));
  }

  @Test
  void a_file_is_on_the_disk_before_it_has_its_name(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("f");
    List<Boolean> namedWhenForced = new ArrayList<>();
    PayloadFile sink =
        PayloadFile.create(
            file,
            part ->
                new WatchedChannel(part) {
                  @Override
                  public void force(boolean metaData) throws IOException {
                    namedWhenForced.add(Files.exists(file));
                    super.force(metaData);
                  }
                });
    sink.chunk(bytes("ab"));
    assertThat(namedWhenForced).isEmpty();

    sink.complete();

    assertThat(namedWhenForced).containsExactly(false);
    assertThat(file).hasContent("ab");
  }

  @Test
  void nothing_is_left_of_a_file_that_cannot_be_locked(@TempDir Path directory) {
    IOException noLocks = new IOException("no locks available");

    WatchedChannel channel =
        failToCreate(
            directory,
            noLocks,
            part ->
                new WatchedChannel(part) {
                  @Override
                  public FileLock tryLock(long position, long size, boolean shared)
                      throws IOException {
                    throw noLocks;
                  }
                });

    assertThat(channel.isOpen()).isFalse();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void nothing_is_left_of_a_file_that_cannot_be_emptied(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("f.part"), "of a process that was killed");
    IOException fails = new IOException("input/output error");

    WatchedChannel channel =
        failToCreate(
            directory,
            fails,
            part ->
                new WatchedChannel(part) {
                  @Override
                  public FileChannel truncate(long size) throws IOException {
                    throw fails;
                  }
                });

    assertThat(channel.isOpen()).isFalse();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void a_file_that_perhaps_another_writes_is_left_to_it(@TempDir Path directory) throws Exception {
    Path part = Files.writeString(directory.resolve("f.part"), "of another");
    IOException noLocks = new IOException("no locks available");

    failToCreate(
        directory,
        noLocks,
        there ->
            new WatchedChannel(there) {
              @Override
              public FileLock tryLock(long position, long size, boolean shared) throws IOException {
                throw noLocks;
              }
            });

    assertThat(part).hasContent("of another");
  }

  /** Returns the channel whose creation failed. */
  private static WatchedChannel failToCreate(
      Path directory, IOException why, PayloadFile.Opening opening) {
    AtomicReference<WatchedChannel> opened = new AtomicReference<>();
    assertThatIOException()
        .isThrownBy(
            () ->
                PayloadFile.create(
                    directory.resolve("f"),
                    part -> {
                      WatchedChannel channel = (WatchedChannel) opening.open(part);
                      opened.set(channel);
                      return channel;
                    }))
        .isSameAs(why);
    return Objects.requireNonNull(opened.get());
  }

  @Test
  void an_input_stream_is_read_while_the_message_arrives() throws Exception {
    PayloadInputStream stream = new PayloadInputStream();
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(stream.readAllBytes(), US_ASCII);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    stream.chunk(bytes("ab"));
    stream.chunk(bytes("c"));
    stream.complete();
    assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo("abc");
  }

  @Test
  void a_message_that_fails_throws_at_its_reader() {
    PayloadInputStream stream = new PayloadInputStream();
    stream.failed(failure);
    assertThatIOException()
        .isThrownBy(stream::read)
        .withMessageStartingWith("INCOMPLETE: ")
        .withCause(failure);
  }

  @Test
  void a_closed_reader_does_not_hold_up_the_subscription() {
    PayloadInputStream stream = new PayloadInputStream();
    stream.close();
    stream.chunk(bytes("dropped"));
    assertThatIOException().isThrownBy(stream::read).withNoCause();
  }
}
