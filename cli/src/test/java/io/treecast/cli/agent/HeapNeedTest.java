package io.treecast.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapNeedTest {
  private static final long MIB = 1L << 20;

  @Test
  void a_heap_of_twice_the_data_is_enough() {
    assertThat(HeapNeed.warning(256 * MIB, 16 * MIB, 512 * MIB)).isNull();
    assertThat(HeapNeed.warning(64 * MIB, 16 * MIB, 128 * MIB)).isNull();
  }

  @Test
  void a_heap_without_room_beside_the_data_is_too_small() {
    assertThat(HeapNeed.warning(256 * MIB, 16 * MIB, 304 * MIB)).isNull();
    assertThat(HeapNeed.warning(256 * MIB, 16 * MIB, 303 * MIB))
        .contains(
            "limits.memoryBytes",
            "limits.collectivesBytes",
            "272 MiB",
            "303 MiB",
            "TREECAST_JAVA_OPTS=-Xmx544m",
            "JDK_JAVA_OPTIONS");
  }

  @Test
  void the_memory_of_operations_counts_as_much() {
    assertThat(HeapNeed.warning(256 * MIB, 1_024 * MIB, 512 * MIB))
        .contains(" are 1280 MiB together, ");
  }
}
