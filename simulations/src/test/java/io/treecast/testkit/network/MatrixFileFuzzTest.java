package io.treecast.testkit.network;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.StringReader;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is either a matrix of round-trip times or refused with a reason. */
class MatrixFileFuzzTest {

  static Stream<byte[]> seeds() {
    return Stream.of("0,1.5,-\n1.5,0,3\n-,3,0\n", "# ms\n0 7\n7 0\n", "0;1\n1;0\n")
        .map(text -> text.getBytes(UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest
  void any_text_is_a_matrix_or_refused_with_a_reason(byte[] text) throws IOException {
    try {
      assertThat(MatrixFile.read("a.csv", new StringReader(new String(text, UTF_8)))).isNotNull();
    } catch (MatrixFormatException refused) {
      assertThat(refused).hasMessageContaining("a.csv");
    }
  }
}
