package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.collectives.operation.contract.CombiningLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a contribution to an operation from a file. */
final class ContributionFile {
  /** The name of standard input, which can be read once. */
  static final String STANDARD_INPUT = "-";

  private ContributionFile() {}

  /**
   * Returns the bytes of a file.
   *
   * @param where the option or argument with the name
   * @param file the name, {@code -} for standard input
   * @throws CommandFailure if it cannot be read, or exceeds the limit of all agents
   */
  static byte[] read(String where, String file) {
    if (file.isEmpty()) {
      throw CommandFailure.usage(where + ": the name of the file is empty");
    }
    boolean isStandardInput = file.equals(STANDARD_INPUT);
    try (InputStream in = isStandardInput ? System.in : Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(CombiningLimits.MAX_VALUE_BYTES + 1);
      if (bytes.length > CombiningLimits.MAX_VALUE_BYTES) {
        throw CommandFailure.usage(
            where
                + ": "
                + (isStandardInput ? "standard input" : file)
                + " has more than "
                + CombiningLimits.MAX_VALUE_BYTES
                + " bytes, the limit for collective operations; 'treecast broadcast' sends any "
                + "size");
      }
      return bytes;
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(where + ": '" + file + "' cannot be the name of a file here");
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage(where + ": file not found: " + file);
    } catch (AccessDeniedException e) {
      throw CommandFailure.usage(where + ": " + file + " is not readable");
    } catch (IOException e) {
      throw CommandFailure.usage(where + ": " + file + " cannot be read: " + e.getMessage());
    }
  }
}
