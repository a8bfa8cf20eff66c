package io.treecast.jobs;

import io.treecast.client.Codec;
import io.treecast.jobs.schedule.Announcement;
import io.treecast.jobs.schedule.JobId;
import io.treecast.jobs.schedule.LoanId;
import io.treecast.jobs.schedule.Outcome;
import io.treecast.jobs.schedule.Reply;
import io.treecast.jobs.schedule.Request;
import io.treecast.jobs.schedule.Scheduler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Converts the messages between schedulers to payloads and back. A payload is an envelope that
 * contains a message; both begin with a byte for their kind. Decoding throws if a payload is not a
 * message, or exceeds a limit.
 */
final class JobCodec<T, R> {
  /** The largest encoded task or result, in bytes. */
  static final int MAX_VALUE_BYTES = 1 << 20;

  /** The limit of an error text; longer ones are cut. */
  static final int MAX_ERROR_CHARACTERS = 1_000;

  /** The kinds of envelopes. */
  static final int ANNOUNCEMENT = 1;

  static final int REQUEST = 2;
  static final int REPLY = 3;

  private static final int RUNNING = 1;
  private static final int ENDED = 2;
  private static final int IMPROVED = 3;
  private static final int STEAL = 4;
  private static final int JOIN = 5;
  private static final int RESULT = 6;
  private static final int ERROR = 7;
  private static final int RENEW = 8;
  private static final int NO_TASK = 9;
  private static final int LENT = 10;
  private static final int ACKNOWLEDGED = 11;

  private final Codec<T> tasks;
  private final Codec<R> results;

  JobCodec(Codec<T> tasks, Codec<R> results) {
    this.tasks = tasks;
    this.results = results;
  }

  /**
   * A message with its address.
   *
   * @param receiver the node id of the receiving member; empty for all
   * @param number the number of the request; its reply has the same
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once.
  record Envelope(int kind, String receiver, long number, byte[] body) {}

  static byte[] seal(int kind, String receiver, long number, byte[] body) {
    return message(
        kind,
        out -> {
          out.writeUTF(receiver);
          out.writeLong(number);
          out.write(body);
        });
  }

  static Envelope open(byte[] payload) throws Exception {
    return read(
        payload, (kind, in) -> new Envelope(kind, in.readUTF(), in.readLong(), in.readAllBytes()));
  }

  /** Writes the content of a message. */
  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  /** Reads the content of a message of a kind. */
  private interface Reader<M> {
    M read(int kind, DataInputStream in) throws Exception;
  }

  private static byte[] message(int kind, Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(kind);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Never thrown for an array.
    }
    return bytes.toByteArray();
  }

  private static <M> M read(byte[] payload, Reader<M> reader) throws Exception {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
      M message = reader.read(in.readUnsignedByte(), in);
      if (in.available() > 0) {
        throw new IOException(in.available() + " bytes follow a message of jobs");
      }
      return message;
    }
  }

  private static IOException unknown(int kind) {
    return new IOException("messages of jobs have no kind " + kind + " here");
  }

  static byte[] encode(Announcement announcement) {
    if (announcement instanceof Announcement.Running running) {
      return message(
          RUNNING,
          out -> {
            write(out, running.job());
            out.writeLong(running.best());
            out.writeInt(running.members().size());
            for (String member : running.members()) {
              out.writeUTF(member);
            }
          });
    }
    if (announcement instanceof Announcement.Improved improved) {
      return message(
          IMPROVED,
          out -> {
            write(out, improved.job());
            out.writeLong(improved.best());
          });
    }
    return message(ENDED, out -> write(out, announcement.job()));
  }

  static Announcement announcement(byte[] payload) throws Exception {
    return read(
        payload,
        (kind, in) -> {
          JobId job = job(in);
          return switch (kind) {
            case RUNNING -> {
              long best = in.readLong();
              yield new Announcement.Running(job, members(in), best);
            }
            case ENDED -> new Announcement.Ended(job);
            case IMPROVED -> new Announcement.Improved(job, in.readLong());
            default -> throw unknown(kind);
          };
        });
  }

  private static SortedSet<String> members(DataInputStream in) throws IOException {
    SortedSet<String> members = new TreeSet<>();
    int count = count(in, Scheduler.MAX_MEMBERS);
    for (int i = 0; i < count; i++) {
      members.add(in.readUTF());
    }
    return members;
  }

  byte[] encode(Request<R> request) throws Exception {
    if (request instanceof Request.Join<R> join) {
      return message(JOIN, out -> write(out, join.job()));
    }
    if (request instanceof Request.Renew<R> renewal) {
      return message(RENEW, out -> write(out, renewal.loans()));
    }
    if (request instanceof Request.Deliver<R> delivery) {
      R result = delivery.outcome().result();
      if (result != null) {
        byte[] encoded = encoded(results, result);
        return message(
            RESULT,
            out -> {
              write(out, delivery.loan());
              out.write(encoded);
            });
      }
      String error = String.valueOf(delivery.outcome().error());
      return message(
          ERROR,
          out -> {
            write(out, delivery.loan());
            out.writeUTF(error.substring(0, Math.min(error.length(), MAX_ERROR_CHARACTERS)));
          });
    }
    return message(STEAL, out -> {});
  }

  Request<R> request(byte[] payload) throws Exception {
    return read(
        payload,
        (kind, in) ->
            switch (kind) {
              case STEAL -> new Request.Steal<>();
              case JOIN -> new Request.Join<>(job(in));
              case RENEW -> new Request.Renew<>(loans(in));
              case RESULT -> new Request.Deliver<>(loan(in), Outcome.of(value(in, results)));
              case ERROR -> new Request.Deliver<>(loan(in), Outcome.failure(in.readUTF()));
              default -> throw unknown(kind);
            });
  }

  byte[] encode(Reply<T> reply) throws Exception {
    if (reply instanceof Reply.Lent<T> lent) {
      byte[] task = encoded(tasks, lent.task());
      return message(
          LENT,
          out -> {
            write(out, lent.job());
            write(out, lent.loan());
            out.writeInt(lent.depth());
            out.writeLong(lent.best());
            out.write(task);
          });
    }
    if (reply instanceof Reply.Acknowledged<T> acknowledged) {
      return message(ACKNOWLEDGED, out -> write(out, acknowledged.obsolete()));
    }
    return message(NO_TASK, out -> {});
  }

  Reply<T> reply(byte[] payload) throws Exception {
    return read(
        payload,
        (kind, in) ->
            switch (kind) {
              case NO_TASK -> new Reply.NoTask<>();
              case ACKNOWLEDGED -> new Reply.Acknowledged<>(loans(in));
              case LENT -> lent(in);
              default -> throw unknown(kind);
            });
  }

  private Reply<T> lent(DataInputStream in) throws Exception {
    JobId job = job(in);
    LoanId loan = loan(in);
    int depth = in.readInt();
    long best = in.readLong();
    return new Reply.Lent<>(job, loan, value(in, tasks), depth, best);
  }

  private static <V> byte[] encoded(Codec<V> codec, V value) throws Exception {
    byte[] bytes = codec.encode(value);
    if (bytes.length > MAX_VALUE_BYTES) {
      throw new IOException(
          ("%s has %s bytes; allowed are %s: tasks and results should refer to large data by "
                  + "a name")
              .formatted(value.getClass().getName(), bytes.length, MAX_VALUE_BYTES));
    }
    return bytes;
  }

  private static <V> V value(DataInputStream in, Codec<V> codec) throws Exception {
    return codec.decode(in.readAllBytes());
  }

  private static void write(DataOutputStream out, JobId job) throws IOException {
    out.writeLong(job.incarnation());
    out.writeLong(job.number());
  }

  private static JobId job(DataInputStream in) throws IOException {
    return new JobId(in.readLong(), in.readLong());
  }

  private static void write(DataOutputStream out, LoanId loan) throws IOException {
    out.writeLong(loan.incarnation());
    out.writeLong(loan.number());
  }

  private static LoanId loan(DataInputStream in) throws IOException {
    return new LoanId(in.readLong(), in.readLong());
  }

  private static void write(DataOutputStream out, List<LoanId> loans) throws IOException {
    out.writeInt(loans.size());
    for (LoanId loan : loans) {
      write(out, loan);
    }
  }

  private static List<LoanId> loans(DataInputStream in) throws IOException {
    List<LoanId> loans = new ArrayList<>();
    int count = count(in, Scheduler.MAX_HELD);
    for (int i = 0; i < count; i++) {
      loans.add(loan(in));
    }
    return loans;
  }

  private static int count(DataInputStream in, int limit) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > limit) {
      throw new IOException(count + " entries in a message of jobs; allowed are " + limit);
    }
    return count;
  }
}
