package io.treecast.collectives.broadcast.log;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.Examples;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import org.junit.jupiter.api.Test;

/** The publisher whose oldest entry a full log evicts. */
class RetainedByPublisherTest {
  private final ReplicationLog log =
      new ReplicationLog(Examples.SMALL, () -> Long.MAX_VALUE, entry -> {});
  private final RetainedByPublisher retained = new RetainedByPublisher();

  /** Returns a stream with one entry, before which the publisher had published the given bytes. */
  private StreamLog stream(NodeId origin, String topic, long publishedBytes) {
    StreamLog stream = log.begin(new StreamId(origin, FIRST_START, topic));
    MessageId id = new MessageId(stream.id(), 1);
    log.append(
        stream, new Chunk(id, 0, true, 1, publishedBytes, bytes(""), 0, null, false), b -> {});
    return stream;
  }

  @Test
  void the_first_publication_of_the_largest_publisher_is_found_over_all_its_topics() {
    StreamLog later = stream(A, "t", 500);
    StreamLog first = stream(A, "u", 300);
    StreamLog other = stream(B, "t", 0);
    retained.add(later, 100);
    retained.add(first, 10);
    retained.add(other, 105);

    assertThat(retained.mostBytes()).isEqualTo(110);
    assertThat(retained.publishedFirst()).isSameAs(first);
    retained.add(first, -10);
    assertThat(retained.mostBytes()).isEqualTo(105);
    assertThat(retained.publishedFirst()).isSameAs(other);
    retained.add(other, -105);
    assertThat(retained.publishedFirst()).isSameAs(later);
    retained.add(later, -100);
    assertThat(retained.mostBytes()).isZero();
  }
}
