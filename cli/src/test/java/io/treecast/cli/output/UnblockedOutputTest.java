package io.treecast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Output that does not block its writers. */
@Timeout(120)
class UnblockedOutputTest {
  private static final long PATIENCE_MILLIS = 60_000;

  /** A text of about a kilobyte. */
  private static final String LONG = "x".repeat(1_000);

  private final HangingReader reader = new HangingReader();
  private final UnblockedOutput output =
      UnblockedOutput.to(reader, "test-output", lines -> lines + " dropped");

  /** A stream whose writers wait until it reads. */
  private static final class HangingReader extends OutputStream {
    private final Semaphore reads = new Semaphore(0);
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private volatile boolean isGone;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      reads.acquireUninterruptibly();
      reads.release();
      if (isGone) {
        throw new IOException("Broken pipe");
      }
      read.write(bytes, offset, length);
    }
  }

  private void print(String line) throws IOException {
    output.write((line + "\n").getBytes(UTF_8));
  }

  private String[] readAll() {
    reader.reads.release();
    output.drain(PATIENCE_MILLIS);
    return reader.read.toString(UTF_8).split("\n");
  }

  @Test
  void all_lines_come_in_order() throws Exception {
    print("one");
    print("two");
    assertThat(readAll()).containsExactly("one", "two");
  }

  @Test
  void lines_without_room_are_dropped_and_counted() throws Exception {
    int printed = 3_000;
    for (int i = 0; i < printed; i++) {
      print(i + LONG);
    }
    String[] lines = readAll();
    assertThat(lines).contains("0" + LONG);
    String told = Arrays.stream(lines).filter(l -> l.endsWith(" dropped")).findFirst().orElse("");
    assertThat(told).isEqualTo(printed - (lines.length - 1) + " dropped");
    assertThat(lines.length).isBetween(900, 1_200);

    print("later");
    assertThat(readAll()).endsWith("later");
  }

  @Test
  void warnings_have_room_when_details_have_none() throws Exception {
    String detail = "2026-05-01T12:00:00.000Z INFO  " + LONG;
    for (int i = 0; i < 3_000; i++) {
      print(detail);
    }
    String warning = "2026-05-01T12:00:00.000Z WARN  a warning";
    print(warning);
    print("treecast: a line of a command");
    print(detail + " that is dropped");

    assertThat(readAll())
        .contains(warning, "treecast: a line of a command", detail)
        .doesNotContain(detail + " that is dropped");
  }

  @Test
  void a_reader_that_is_gone_is_reported() throws Exception {
    reader.isGone = true;
    print("one");
    readAll();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> print("two"))
        .withMessage("Broken pipe");
  }

  @Test
  void the_end_does_not_wait_for_a_reader_that_hangs() throws Exception {
    print("one");
    output.drain(10);
    assertThat(reader.read.size()).isZero();
  }
}
