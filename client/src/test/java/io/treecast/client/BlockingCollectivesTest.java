package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.proto.v1.TakePartRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call that returns a future has a blocking counterpart, which sends the agent the same
 * request.
 */
@Timeout(120)
class BlockingCollectivesTest {
  private static final Map<Class<?>, Object> GIVEN =
      Map.of(
          LongReduction.class,
          LongReduction.MAX,
          DoubleReduction.class,
          DoubleReduction.MIN,
          long[].class,
          new long[] {3, -1},
          double[].class,
          new double[] {0.5},
          VectorReduction.class,
          VectorReduction.MAX,
          NumberVector.class,
          NumberVector.of(new float[] {0.5f}),
          byte[].class,
          new byte[] {7},
          Map.class,
          Map.of("h3", new byte[] {9}),
          CollectiveOptions.class,
          CollectiveOptions.defaults().among(Set.of("h1", "h2")));

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private static Stream<Method> publicMethods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()));
  }

  static Stream<Method> calls() {
    return publicMethods(Collectives.class);
  }

  /** Returns the request of a call without its token and time. */
  private TakePartRequest asked(Object collectives, Method call) throws Exception {
    Object[] given =
        Arrays.stream(call.getParameterTypes()).map(BlockingCollectivesTest::given).toArray();
    given[0] = "round 1";
    int before = agent.outcomes.size();
    var unused =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return call.invoke(collectives, given);
              } catch (ReflectiveOperationException e) {
                throw new LinkageError(call + " cannot be called", e);
              }
            });
    await().until(() -> agent.outcomes.size() == before + 1);
    agent.outcomes.get(before).onError(new IllegalStateException("a test has seen enough"));
    return agent.operations.get(before).toBuilder().clearToken().clearWaitMillis().build();
  }

  private static Object given(Class<?> type) {
    return GIVEN.getOrDefault(type, "h2");
  }

  @ParameterizedTest
  @MethodSource("calls")
  void the_call_that_waits_asks_for_the_same(Method call) throws Exception {
    Method twin = BlockingCollectives.class.getMethod(call.getName(), call.getParameterTypes());
    ParameterizedType future = (ParameterizedType) call.getGenericReturnType();
    assertThat(twin.getGenericReturnType()).isEqualTo(future.getActualTypeArguments()[0]);

    assertThat(asked(treecast.blocking().collectives(), twin))
        .isEqualTo(asked(treecast.collectives(), call));
  }

  @Test
  void there_are_no_other_calls() {
    assertThat(publicMethods(BlockingCollectives.class).count()).isEqualTo(calls().count());
  }
}
