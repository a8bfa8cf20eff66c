package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.FindUnwantedRequest;
import io.treecast.proto.v1.FindUnwantedResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Queries the agent for members whose topic has no subscriber. The agent knows the topics of its
 * whole tree soon after the commit; until then the query is repeated. Safe for use by several
 * threads.
 */
final class UnwantedTopics {
  /** The delay of the first query: most requests are answered sooner, and need none. */
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int ANSWER_SECONDS = 5;

  /** The maximum number of topics that an agent accepts in one query. */
  private static final int MAX_TOPICS = 1_000;

  private final AgentConnection connection;

  UnwantedTopics(AgentConnection connection) {
    this.connection = connection;
  }

  /**
   * Queries the agent soon, and again while it does not know the topics.
   *
   * @param awaited the members that matter at the time of a query
   * @param topicOf the topic of a member
   * @param unwanted receives each member whose topic has no subscriber
   */
  void find(
      Supplier<? extends Collection<String>> awaited,
      UnaryOperator<String> topicOf,
      Consumer<String> unwanted) {
    var unused =
        connection.schedule(
            () -> {
              List<String> members = List.copyOf(awaited.get());
              for (int from = 0; from < members.size(); from += MAX_TOPICS) {
                int to = Math.min(members.size(), from + MAX_TOPICS);
                ask(members.subList(from, to), awaited, topicOf, unwanted);
              }
            },
            FIRST_NANOS);
  }

  private void ask(
      List<String> members,
      Supplier<? extends Collection<String>> awaited,
      UnaryOperator<String> topicOf,
      Consumer<String> unwanted) {
    ClientCalls.asyncUnaryCall(
        connection.newCall(
            TreecastServiceGrpc.getFindUnwantedMethod(),
            CallOptions.DEFAULT.withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)),
        FindUnwantedRequest.newBuilder()
            .addAllTopics(members.stream().map(topicOf).toList())
            .build(),
        new StreamObserver<FindUnwantedResponse>() {
          @Override
          public void onNext(FindUnwantedResponse found) {
            Set<String> topics = new HashSet<>(found.getUnwantedList());
            members.stream()
                .filter(member -> topics.contains(topicOf.apply(member)))
                .forEach(unwanted);
            if (found.getIncomplete()) {
              var unused = connection.schedule(this::again, AGAIN_NANOS);
            }
          }

          private void again() {
            Collection<String> left = awaited.get();
            List<String> some = members.stream().filter(left::contains).toList();
            if (!some.isEmpty()) {
              ask(some, awaited, topicOf, unwanted);
            }
          }

          /** Ignored: the request ends with an answer, or times out. */
          @Override
          public void onError(Throwable error) {}

          @Override
          public void onCompleted() {}
        });
  }
}
