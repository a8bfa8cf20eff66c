package io.treecast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.client.Codec;
import io.treecast.jobs.schedule.Announcement;
import io.treecast.jobs.schedule.JobId;
import io.treecast.jobs.schedule.LoanId;
import io.treecast.jobs.schedule.Outcome;
import io.treecast.jobs.schedule.Reply;
import io.treecast.jobs.schedule.Request;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JobCodecTest {
  private static final JobId JOB = new JobId(-1, 2);
  private static final LoanId LOAN = new LoanId(3, -4);

  private final JobCodec<String, String> codec = new JobCodec<>(Codec.utf8(), Codec.utf8());

  @Test
  void each_message_is_decoded_as_it_was_encoded() throws Exception {
    for (Announcement each :
        List.of(
            new Announcement.Running(JOB, new TreeSet<>(Set.of("a", "b")), 7),
            new Announcement.Ended(JOB),
            new Announcement.Improved(JOB, -5))) {
      assertThat(JobCodec.announcement(JobCodec.encode(each))).isEqualTo(each);
    }
    for (Request<String> each :
        List.<Request<String>>of(
            new Request.Steal<>(),
            new Request.Join<>(JOB),
            new Request.Deliver<>(LOAN, Outcome.of("result")),
            new Request.Deliver<>(LOAN, Outcome.failure("error")),
            new Request.Renew<>(List.of(LOAN)))) {
      assertThat(codec.request(codec.encode(each))).isEqualTo(each);
    }
    for (Reply<String> each :
        List.<Reply<String>>of(
            new Reply.NoTask<>(),
            new Reply.Lent<>(JOB, LOAN, "task", 3, 9),
            new Reply.Acknowledged<>(List.of(LOAN)))) {
      assertThat(codec.reply(codec.encode(each))).isEqualTo(each);
    }
  }

  @Test
  void an_envelope_names_the_receiver_and_the_number_of_the_request() throws Exception {
    JobCodec.Envelope opened =
        JobCodec.open(JobCodec.seal(JobCodec.REPLY, "h7", 12, new byte[] {1, 2}));

    assertThat(opened)
        .usingRecursiveComparison()
        .isEqualTo(new JobCodec.Envelope(JobCodec.REPLY, "h7", 12, new byte[] {1, 2}));
  }

  @Test
  void a_task_or_result_of_more_than_a_mebibyte_is_not_encoded() throws Exception {
    String longest = "x".repeat(JobCodec.MAX_VALUE_BYTES);
    codec.encode(new Reply.Lent<>(JOB, LOAN, longest, 0, 0));

    assertThatThrownBy(() -> codec.encode(new Reply.Lent<>(JOB, LOAN, longest + "x", 0, 0)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> codec.encode(new Request.Deliver<>(LOAN, Outcome.of(longest + "x"))))
        .isInstanceOf(IOException.class);
  }

  @Test
  void a_message_that_is_cut_or_claims_too_many_entries_is_refused() throws Exception {
    byte[] renewal = codec.encode(new Request.Renew<>(List.of(LOAN, LOAN)));

    assertThatThrownBy(() -> codec.request(Arrays.copyOf(renewal, renewal.length - 1)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> codec.request(Arrays.copyOf(renewal, renewal.length + 1)))
        .isInstanceOf(IOException.class);
    renewal[1] = 0x7f; // The first byte of the number of loans.
    assertThatThrownBy(() -> codec.request(renewal)).isInstanceOf(IOException.class);
  }

  @Test
  void random_bytes_do_no_more_than_throw_an_exception() {
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) random.nextInt(13);
      }
      try {
        codec.reply(bytes);
      } catch (Exception e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }
}
