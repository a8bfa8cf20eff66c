package io.treecast.cli.messages;

import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.ProgressBar;
import io.treecast.client.Message;
import io.treecast.client.MessageId;
import io.treecast.client.PayloadFile;
import io.treecast.client.PayloadSink;
import io.treecast.client.TreecastException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Saves each message of a subscription to a file of its own, and prints its name once it is
 * complete. Called on the subscription's thread.
 */
final class MessageFiles extends FollowedMessages {
  private final Path directory;
  private final OutputOption output;

  /**
   * Saves to a directory.
   *
   * @throws CommandFailure if the directory does not exist or is not writable
   */
  MessageFiles(Path directory, OutputOption output, EventFollower follower, boolean mayReplay) {
    super(output, follower, mayReplay);
    if (!Files.isDirectory(directory)) {
      throw CommandFailure.usage("--save: directory not found: " + directory + "; create it first");
    }
    if (!Files.isWritable(directory)) {
      throw CommandFailure.usage("--save: the directory " + directory + " is not writable");
    }
    this.directory = directory;
    this.output = output;
  }

  @Override
  public void onMessage(Message message) {
    PayloadSink file = onLargeMessage(message.messageId());
    file.chunk(ByteBuffer.wrap(message.payload()));
    file.complete();
  }

  @Override
  public PayloadSink onLargeMessage(MessageId id) {
    Path file = directory.resolve(id.fileName());
    try {
      return new Saved(id, file, PayloadFile.create(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be created: " + FileReason.of(e), e);
    }
  }

  private final class Saved implements PayloadSink {
    private final MessageId id;
    private final Path path;
    private final PayloadFile file;
    private final ProgressBar progress;

    Saved(MessageId id, Path path, PayloadFile file) {
      this.id = id;
      this.path = path;
      this.file = file;
      this.progress = ProgressBar.on(output, "saving " + MessageName.of(id), 0);
    }

    @Override
    public void chunk(ByteBuffer bytes) {
      progress.add(bytes.remaining());
      file.chunk(bytes);
    }

    @Override
    public void complete() {
      file.complete();
      long bytes = progress.finish();
      event(
          id,
          () -> {
            if (output.isJson()) {
              output.println(MessageName.json(id).put("bytes", bytes).put("file", path.toString()));
            } else {
              output.println(
                  MessageName.of(id) + " (" + Plural.of(bytes, "byte") + ") saved as " + path);
            }
          });
    }

    @Override
    public void failed(TreecastException why) {
      progress.finish();
      file.failed(why);
    }
  }
}
