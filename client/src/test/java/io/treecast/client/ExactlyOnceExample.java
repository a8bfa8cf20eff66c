package io.treecast.client;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The example of docs/subscriptions.md, which quotes it. */
final class ExactlyOnceExample {
  private ExactlyOnceExample() {}

  // tag::example
  /** Counts messages, each once, however often this program or its agent is restarted. */
  static final class Counter implements MessageHandler {
    private final Path file;
    private Positions positions = Positions.of(List.of());
    private long count;

    Counter(Path file) {
      this.file = file;
    }

    Subscription start(Treecast treecast) throws IOException {
      SubscribeOptions options = SubscribeOptions.defaults();
      if (Files.exists(file)) {
        List<String> stored = Files.readAllLines(file);
        count = Long.parseLong(stored.get(0));
        positions = Positions.parse(stored.get(1));
        options = options.withStart(new SubscriptionStart.After(positions));
      }
      return treecast.subscribe(options, this);
    }

    @Override
    public void onBegan(Positions begin) {
      positions = begin;
      store(); // Also counts messages that arrive while this program is down.
    }

    @Override
    public void onMessage(Message message) {
      count++;
      positions = positions.with(message.messageId());
      store();
    }

    @Override
    public void onMissed(MissedMessages missed) {
      System.err.println("not counted: " + missed);
      positions = positions.with(missed);
      store();
    }

    /** Stores the effects of messages and the positions as one, or neither. */
    private void store() {
      try {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.write(next, List.of(Long.toString(count), positions.toString()));
        Files.move(next, file, ATOMIC_MOVE, REPLACE_EXISTING);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // Ends the subscription.
      }
    }
  }
  // end::example
}
