package io.treecast.jobs;

import io.treecast.client.Codec;
import io.treecast.client.Treecast;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Counts the ways to place queens on a board so that no two attack each other. */
final class Queens implements Problem<Queens.Board, Long> {
  static final Codec<Board> BOARDS =
      Codec.of(
          board ->
              ByteBuffer.allocate(20)
                  .putInt(board.size)
                  .putInt(board.row)
                  .putInt(board.columns)
                  .putInt(board.left)
                  .putInt(board.right)
                  .array(),
          bytes -> {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Board(in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt());
          });
  static final Codec<Long> COUNTS =
      Codec.of(
          count -> ByteBuffer.allocate(Long.BYTES).putLong(count).array(),
          bytes -> ByteBuffer.wrap(bytes).getLong());

  private final int rowsAtOnce;

  Queens(int rowsAtOnce) {
    this.rowsAtOnce = rowsAtOnce;
  }

  /**
   * A board with queens in its first rows.
   *
   * @param columns that have a queen, as bits
   * @param left squares of the next row that are attacked along one diagonal
   * @param right squares that are attacked along the other one
   */
  record Board(int size, int row, int columns, int left, int right) {
    static Board empty(int size) {
      return new Board(size, 0, 0, 0, 0);
    }

    int free() {
      return ((1 << size) - 1) & ~(columns | left | right);
    }

    Board with(int square) {
      return new Board(
          size, row + 1, columns | square, (left | square) << 1, (right | square) >> 1);
    }
  }

  // tag::problem
  @Override
  public boolean isSmall(Board board, Incumbent best) {
    return board.size() - board.row() <= rowsAtOnce;
  }

  @Override
  public List<Board> divide(Board board) {
    List<Board> next = new ArrayList<>();
    for (int free = board.free(); free != 0; free &= free - 1) {
      next.add(board.with(Integer.lowestOneBit(free))); // A queen in the next row.
    }
    return next;
  }

  @Override
  public Long solve(Board board, Incumbent best) {
    return count(board);
  }

  @Override
  public Long combine(Board board, List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  // end::problem

  private static long count(Board board) {
    if (board.row() == board.size()) {
      return 1;
    }
    long count = 0;
    for (int free = board.free(); free != 0; free &= free - 1) {
      count += count(board.with(Integer.lowestOneBit(free)));
    }
    return count;
  }

  // tag::jobs
  /** At each member: takes part from now on. */
  static Jobs<Board, Long> join(Treecast treecast) {
    return Jobs.join(treecast, "queens", new Queens(8), BOARDS, COUNTS);
  }

  /** At one member: runs a job with all of them. */
  static long solutions(Jobs<Board, Long> jobs, int size) {
    return jobs.run(Board.empty(size)).join();
  }
  // end::jobs
}
