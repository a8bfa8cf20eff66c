package io.treecast.jobs;

import io.treecast.client.Codec;
import io.treecast.jobs.schedule.Announcement;
import io.treecast.jobs.schedule.Branch;
import io.treecast.jobs.schedule.Reply;
import io.treecast.jobs.schedule.Request;
import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/** The size of the payload in which a message of the simulations would cross the network. */
public final class MessageBytes implements ToLongFunction<Object> {
  private static final Codec<Branch> TASKS =
      Codec.of(
          task ->
              ByteBuffer.allocate(25)
                  .putLong(task.hash())
                  .putInt(task.levels())
                  .putInt(task.children())
                  .putLong(task.cost())
                  .put((byte) (task.isSearch() ? 1 : 0))
                  .array(),
          bytes -> {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Branch(in.getLong(), in.getInt(), in.getInt(), in.getLong(), in.get() == 1);
          });

  private final JobCodec<Branch, Long> codec = new JobCodec<>(TASKS, Queens.COUNTS);

  @Override
  @SuppressWarnings("unchecked") // The simulations have no other tasks.
  public long applyAsLong(Object message) {
    try {
      if (message instanceof Announcement announcement) {
        byte[] body = JobCodec.encode(announcement);
        return JobCodec.seal(JobCodec.ANNOUNCEMENT, "", 0, body).length;
      }
      byte[] body =
          message instanceof Request<?>
              ? codec.encode((Request<Long>) message)
              : codec.encode((Reply<Branch>) message);
      return JobCodec.seal(JobCodec.REQUEST, "m12", 0, body).length;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
