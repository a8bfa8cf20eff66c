package io.treecast.cli.console;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Payloads as one line of text that is safe for a terminal: line ends and tabs are escaped, and a
 * payload with other control characters counts as binary.
 */
public final class PayloadText {
  /** Limit of the printed characters of a text. */
  static final int MAX_CHARACTERS = 1_000;

  private PayloadText() {}

  /** Returns the text, or null if the bytes are not text. */
  public static @Nullable String of(byte[] payload) {
    int[] characters;
    try {
      characters =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(payload))
              .codePoints()
              .toArray();
    } catch (CharacterCodingException e) {
      return null;
    }
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < characters.length; i++) {
      String escaped = escaped(characters[i]);
      if (escaped == null) {
        return null;
      }
      if (i < MAX_CHARACTERS) {
        line.append(escaped);
      }
    }
    return characters.length <= MAX_CHARACTERS ? line.toString() : line + "...";
  }

  private static @Nullable String escaped(int character) {
    return switch (character) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> Character.isISOControl(character) ? null : Character.toString(character);
    };
  }
}
