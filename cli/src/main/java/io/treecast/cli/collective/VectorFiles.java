package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.client.CollectiveResult;
import io.treecast.client.NumberVector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of a vector and of the result. Both are mapped, not read into the heap. */
final class VectorFiles {
  /** The types of elements, by their names on the command line. */
  enum Type {
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    FLOAT(Float.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }
  }

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "This member's vector, up to 1 GiB: packed elements of --type, in "
              + "little-endian order.")
  private @Nullable String file;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Type of the elements of --file: int, long, float or double.")
  private @Nullable Type type;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file for the result of --file; an existing one is replaced.")
  private @Nullable String out;

  /**
   * Returns whether there is a file with the vector.
   *
   * @throws CommandFailure if only some of the options are given
   */
  boolean areGiven() {
    if (file == null && type == null && out == null) {
      return false;
    }
    if (file == null || type == null || out == null) {
      throw CommandFailure.usage("--file, --type and --out belong together; give all of them");
    }
    return true;
  }

  String out() {
    return String.valueOf(out);
  }

  private static Path path(String option, String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(option + ": '" + name + "' cannot be the name of a file here");
    }
  }

  NumberVector read() {
    Path from = path("--file", String.valueOf(file));
    if (Files.isDirectory(from)) {
      throw CommandFailure.usage("--file: " + from + " is a directory; name a file");
    }
    try (FileChannel channel = FileChannel.open(from)) {
      long bytes = channel.size();
      if (bytes > NumberVector.MAX_BYTES) {
        throw CommandFailure.usage(
            "--file: " + from + " has " + bytes + " bytes; allowed are " + NumberVector.MAX_BYTES);
      }
      if (bytes == 0) {
        throw CommandFailure.usage("--file: " + from + " is empty; expected at least one element");
      }
      if (bytes % type().bytes != 0) {
        throw CommandFailure.usage(
            ("--file: %s has %s bytes, which is not a whole number of elements of %s bytes; "
                    + "check --type")
                .formatted(from, bytes, type().bytes));
      }
      return vector(channel.map(MapMode.READ_ONLY, 0, bytes));
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--file: file not found: " + from);
    } catch (AccessDeniedException e) {
      throw CommandFailure.usage("--file: " + from + " is not readable");
    } catch (IOException e) {
      throw CommandFailure.usage("--file: " + from + " cannot be read: " + e.getMessage());
    }
  }

  private Type type() {
    return type == null ? Type.DOUBLE : type;
  }

  private NumberVector vector(ByteBuffer bytes) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    return switch (type()) {
      case INT -> NumberVector.of(bytes.asIntBuffer());
      case LONG -> NumberVector.of(bytes.asLongBuffer());
      case FLOAT -> NumberVector.of(bytes.asFloatBuffer());
      case DOUBLE -> NumberVector.of(bytes.asDoubleBuffer());
    };
  }

  /**
   * Runs a call that writes its result to the file. A complete result replaces an existing file; a
   * call that fails or returns no value leaves the file as it was.
   */
  CollectiveResult<Optional<NumberVector>> write(
      NumberVector vector, Function<NumberVector, CollectiveResult<Optional<NumberVector>>> call) {
    Path target = path("--out", out());
    if (Files.isDirectory(target)) {
      throw CommandFailure.usage("--out: " + target + " is a directory; name a file");
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    part.toFile().deleteOnExit(); // For the case that the command is killed while it waits.
    try {
      try (FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        NumberVector into = vector(channel.map(MapMode.READ_WRITE, 0, vector.bytes()));
        CollectiveResult<Optional<NumberVector>> result = call.apply(into);
        if (result.value().isPresent()) {
          Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
        return result;
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage(
          "--out: " + target + " cannot be written: its directory does not exist");
    } catch (AccessDeniedException e) {
      throw CommandFailure.usage("--out: " + target + " is not writable");
    } catch (IOException e) {
      throw CommandFailure.usage("--out: " + target + " cannot be written: " + e.getMessage());
    }
  }
}
