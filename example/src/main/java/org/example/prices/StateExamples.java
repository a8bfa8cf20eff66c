package org.example.prices;

import io.treecast.client.Best;
import io.treecast.client.BestValue;
import io.treecast.client.Claim;
import io.treecast.client.Codec;
import io.treecast.client.LastValue;
import io.treecast.client.MemberClaims;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.Values;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/** The examples of the pages on shared values and ownership, which show them word for word. */
final class StateExamples {
  private StateExamples() {}

  /** Puts a route, and follows all routes. */
  static Subscription route(Treecast treecast, BiConsumer<String, String> router) {
    // tag::values
    Values<String> routes = treecast.values("routes", Codec.utf8());
    routes.put("eu", "h7:9000").join();
    Subscription watch = routes.watch(entry -> router.accept(entry.key(), entry.value()));
    // end::values
    return watch;
  }

  /** Puts a state that ends with this application. */
  static Subscription announce(Values<String> states) {
    // tag::ephemeral
    Subscription entry = states.putEphemeral("h7", "ready");
    // end::ephemeral
    return entry;
  }

  /** Offers a solution, and follows the best one. */
  static Subscription search(Treecast treecast, DoubleConsumer prune) {
    // tag::best
    BestValue<String> incumbent = treecast.best("incumbent", Best.MIN, Codec.utf8());
    incumbent.offer(17.5, "route 4").join();
    Subscription watch = incumbent.watch(best -> prune.accept(best.number()));
    // end::best
    return watch;
  }

  /** Publishes a level, and follows it. */
  static Subscription level(Treecast treecast, Consumer<String> setLevel) {
    // tag::last
    LastValue<String> level = treecast.lastValue("log-level", Codec.utf8());
    level.publish("DEBUG").join();
    Subscription levels = level.subscribe(setLevel); // the last value at once, then each later one
    // end::last
    return levels;
  }

  /** Does the work of the one owner. */
  static void backUp(
      Treecast treecast, List<String> members, LongConsumer backup, Runnable stop) {
    // tag::claim
    MemberClaims claims = treecast.claims().among(members);
    Claim claim = claims.acquire("nightly", Duration.ofSeconds(10)).join(); // waits for the holder
    claim.onLost(stop);
    backup.accept(claim.fence());
    claim.release();
    // end::claim
  }
}
