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
 * Returns a test of a cluster, run once for each seed. The method has a parameter of type {@link
 * io.treecast.testkit.sim.SimCluster} or {@link io.treecast.testkit.local.LocalCluster}; the
 * cluster is ready, and closed afterwards; {@code @BeforeEach} and {@code @AfterEach} methods with
 * such a parameter get the same one. On real agents the test runs once. It may have a parameter of
 * type {@link RandomFaults}, whose seed it is then.
 *
 * <p>{@code -Dtreecast.seed=17} runs that seed only, {@code -Dtreecast.seeds=1000} that many.
 * {@code -Dtreecast.shrink.seconds=600} gives the search for smaller scenarios that fail alike so
 * long, over all seeds, instead of a minute.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@Tag("seeded")
@ExtendWith(ClusterTestExtension.class)
public @interface ClusterTest {
  /** Returns how many nodes. */
  int nodes() default 12;

  /** The kind of the network. */
  TestNetwork topology() default TestNetwork.SITES;

  /** Returns how many seeds, from 0 on. */
  int seeds() default 20;

  /** Returns how many events {@link RandomFaults} draws, about. */
  int faults() default 20;
}
