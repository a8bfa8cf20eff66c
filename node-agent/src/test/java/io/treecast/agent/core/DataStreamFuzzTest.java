package io.treecast.agent.core;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a neighbour sends on data streams, it harms nobody but itself; see {@link Attack}. */
class DataStreamFuzzTest {

  static Stream<byte[]> seeds() {
    return Stream.of(
            Stream.of(
                AttackSeeds.recorded(true).get(Attack.Stage.COMMITTED.code),
                AttackSeeds.recorded(false).get(Attack.Stage.COMMITTED.code),
                AttackSeeds.ownDoings()),
            AttackSeeds.dataOfEachKind(),
            AttackSeeds.inventedStreams(),
            AttackSeeds.inventedOperations())
        .flatMap(seeds -> seeds);
  }

  @MethodSource("seeds")
  @FuzzTest
  void no_input_on_data_streams_harms_an_agent(byte[] script) {
    Attack.run(script);
  }
}
