package io.treecast.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test of a cluster that runs once for each seed. The method has a parameter of type {@link
 * io.treecast.testkit.sim.SimCluster} or {@link io.treecast.testkit.local.LocalCluster}; the
 * cluster is ready, and closed afterwards; {@code @BeforeEach} and {@code @AfterEach} methods with
 * such a parameter receive the same cluster. On real agents the test runs once. The method may have
 * a parameter of type {@link RandomFaults}, which the seed then determines.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=1000} runs that many.
 * {@code -Dtreecast.shrink.seconds=600} extends the search for smaller scenarios with the same
 * failure from a minute to that time, summed over all seeds.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@Tag("seeded")
@ExtendWith(ClusterTestExtension.class)
public @interface ClusterTest {
  /** Returns the number of nodes. */
  int nodes() default 12;

  /** Returns the kind of the network. */
  TestNetwork topology() default TestNetwork.SITES;

  /** Returns the number of seeds, which count from 0. */
  int seeds() default 20;

  /** Returns the approximate number of events in {@link RandomFaults}. */
  int faults() default 20;
}
