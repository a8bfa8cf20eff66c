package io.treecast.collectives.group;

import io.treecast.collectives.broadcast.SeedSweep;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random trees, streams and memberships, each a function of its seed. */
@Tag("seeded")
class GroupsSweepTest {
  private static final long DEFAULT_SEEDS = 150;

  @Test
  void views_with_one_identity_are_equal_and_name_all_joined_members_of_a_part_at_rest() {
    SeedSweep.assertPasses(new GroupRun(), DEFAULT_SEEDS);
  }
}
