package io.treecast.cli.bench;

import io.treecast.cli.console.CommandFailure;
import io.treecast.client.Codec;
import io.treecast.client.Treecast;
import io.treecast.jobs.Incumbent;
import io.treecast.jobs.JobOptions;
import io.treecast.jobs.Jobs;
import io.treecast.jobs.Problem;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts the ways to place queens on a board: in a plain loop, and as a job of members. */
final class JobLoad {
  /** The rows of the board. */
  static final int ROWS = 15;

  /** The ways to place queens on it. */
  private static final long WAYS = 2_279_184;

  /** A task counts the ways of the last rows, which takes about a millisecond. */
  private static final int LAST_ROWS = 12;

  private static final Codec<Board> BOARDS =
      Codec.of(
          board ->
              ByteBuffer.allocate(4 * Integer.BYTES)
                  .putInt(board.row)
                  .putInt(board.columns)
                  .putInt(board.left)
                  .putInt(board.right)
                  .array(),
          bytes -> {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Board(in.getInt(), in.getInt(), in.getInt(), in.getInt());
          });
  private static final Codec<Long> COUNTS =
      Codec.of(
          count -> ByteBuffer.allocate(Long.BYTES).putLong(count).array(),
          bytes -> ByteBuffer.wrap(bytes).getLong());

  private JobLoad() {}

  /**
   * A board with queens in its first rows.
   *
   * @param columns that have a queen, as bits
   * @param left squares of the next row that are attacked along one diagonal
   * @param right squares that are attacked along the other one
   */
  private record Board(int row, int columns, int left, int right) {
    static final Board EMPTY = new Board(0, 0, 0, 0);

    List<Board> next() {
      List<Board> next = new ArrayList<>();
      int free = ((1 << ROWS) - 1) & ~(columns | left | right);
      for (; free != 0; free &= free - 1) {
        int square = Integer.lowestOneBit(free);
        next.add(new Board(row + 1, columns | square, (left | square) << 1, (right | square) >> 1));
      }
      return next;
    }

    long ways() {
      return ways(((1 << ROWS) - 1) & ~columns, left, right);
    }

    /** Counts without an object for each board. */
    private static long ways(int freeColumns, int left, int right) {
      if (freeColumns == 0) {
        return 1;
      }
      long ways = 0;
      for (int free = freeColumns & ~(left | right); free != 0; free &= free - 1) {
        int square = Integer.lowestOneBit(free);
        ways += ways(freeColumns & ~square, (left | square) << 1, (right | square) >> 1);
      }
      return ways;
    }
  }

  private static final class Queens implements Problem<Board, Long> {
    @Override
    public boolean isSmall(Board board, Incumbent best) {
      return ROWS - board.row() <= LAST_ROWS;
    }

    @Override
    public List<Board> divide(Board board) {
      return board.next();
    }

    @Override
    public Long solve(Board board, Incumbent best) {
      return board.ways();
    }

    @Override
    public Long combine(Board board, List<Long> counts) {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Returns the seconds of a plain loop on one thread. */
  static double loopSeconds(int seconds) {
    return measure(Board.EMPTY::ways, seconds);
  }

  /** Returns the seconds of a job of all these members, with one worker each. */
  static double jobSeconds(List<String> addresses, int seconds) {
    List<Treecast> clients = addresses.stream().map(Treecast::connect).toList();
    try {
      JobOptions options = JobOptions.defaults().withWorkers(1);
      List<Jobs<Board, Long>> jobs =
          clients.stream()
              .map(client -> Jobs.join(client, "bench", new Queens(), BOARDS, COUNTS, options))
              .toList();
      jobs.forEach(each -> each.ready().join());
      double result = measure(() -> jobs.get(0).run(Board.EMPTY).join(), seconds);
      jobs.forEach(Jobs::close);
      return result;
    } catch (CompletionException e) {
      throw CommandFailure.failed(String.valueOf(e.getCause()));
    } finally {
      clients.forEach(Treecast::close);
    }
  }

  /** Returns the mean time of a run, after a warm-up of the same duration. */
  private static double measure(LongSupplier run, int seconds) {
    repeat(run, seconds);
    return repeat(run, seconds);
  }

  private static double repeat(LongSupplier run, int seconds) {
    long begunNanos = System.nanoTime();
    long tookNanos;
    int runs = 0;
    do {
      long ways = run.getAsLong();
      if (ways != WAYS) {
        throw CommandFailure.failed("the result is " + ways + ", and should be " + WAYS);
      }
      runs++;
      tookNanos = System.nanoTime() - begunNanos;
    } while (tookNanos < TimeUnit.SECONDS.toNanos(seconds));
    return tookNanos / 1e9 / runs;
  }
}
