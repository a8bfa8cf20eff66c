package io.treecast.agent.runtime;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.RetryToken;
import io.treecast.client.SimulatedChannel;
import io.treecast.client.SimulatedClient;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.client.VirtualTimer;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client and its agent in one run of a seed: broadcasts, uploads and operations with hasty waits,
 * while the agent freezes, restarts and leaves, and connections come and go. Each step is that of
 * one thread; where one touches the network, or has told a result, others may go on for a while.
 */
final class ClientOutcomesRun {
  private static final int STEPS = 1_500;
  private static final int ROUNDS = 40;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The ones that it could be that go on; each does one thing at a time. */
  private enum Role {
    APPLICATION,
    TIMER,
    NETWORK,
    CALLBACKS,
    UPLOADS,
    AGENT,
    WORLD
  }

  private enum Kind {
    BROADCAST,
    UPLOAD,
    OPERATION
  }

  /** A request of the application, and its result. */
  private record Attempt(
      Kind kind, String name, @Nullable RetryToken token, CompletableFuture<?> result) {}

  private final SplittableRandom random;
  private final Map<String, Integer> coverage;
  private final VirtualTimer timer = new VirtualTimer();
  private final List<Attempt> attempts = new ArrayList<>();

  /** All that were ever started; the incarnation of each is its place, from 1. */
  private final List<SimulatedAgent> agents = new ArrayList<>();

  /** The address of each of these. */
  private final List<Integer> addresses = new ArrayList<>();

  /** The present agent at each address. */
  private final Map<Integer, SimulatedAgent> present = new TreeMap<>();

  private final Set<Role> busy = EnumSet.noneOf(Role.class);
  private final Set<Long> endedIncarnations = new HashSet<>();
  private boolean frozen;
  private final Set<Integer> leaving = new HashSet<>();
  private boolean settling;
  private final SimulatedClient client;

  /**
   * Creates it.
   *
   * @param clusters the agents that the client may use; each is a cluster of its own
   */
  ClientOutcomesRun(long seed, int clusters, Map<String, Integer> coverage) {
    this.random = new SplittableRandom(seed);
    this.coverage = coverage;
    this.client = new SimulatedClient(clusters, timer, random, this::touched, this::resultCame);
    for (int address = 0; address < clusters; address++) {
      startAgent(address);
    }
  }

  /** Runs, and says what was not as promised. */
  List<String> violations() {
    for (int step = 0; step < STEPS; step++) {
      go();
    }
    settle();
    return check();
  }

  private void count(String what) {
    coverage.merge(what, 1, Integer::sum);
  }

  private SimulatedAgent agent() {
    return Objects.requireNonNull(present.get(client.agent()));
  }

  private void startAgent(int address) {
    SimulatedAgent started = new SimulatedAgent(agents.size() + 1, timer::nowNanos);
    agents.add(started);
    addresses.add(address);
    present.put(address, started);
    leaving.remove(address);
    frozen = false;
    // Mostly it has a tree before anybody asks it.
    for (int step = random.nextInt(4) == 0 ? 0 : 200; step > 0; step--) {
      timer.advanceTo(Math.min(started.nextNanos(), timer.nowNanos() + 50_000_000));
      started.runNext();
    }
  }

  // Steps.

  /** Other threads may go on here, unless this one keeps them out. */
  private void touched() {
    if (settling
        || present.isEmpty()
        || busy.size() > 1
        || random.nextInt(6) != 0
        || holdsLocks()) {
      return;
    }
    for (int steps = 1 + random.nextInt(12); steps > 0; steps--) {
      go();
    }
  }

  /** The worst of all moments for a network that was lost to be there again. */
  private void resultCame() {
    if (settling || busy.size() > 1 || random.nextInt(4) != 0) {
      touched();
      return;
    }
    boolean isLocked = holdsLocks();
    for (int round = 0; round < ROUNDS && !isLocked; round++) {
      frozen = false;
      if (!busy.contains(Role.WORLD)) {
        client.channel().connect(agent().service());
      }
      for (Role role : List.of(Role.NETWORK, Role.AGENT, Role.CALLBACKS, Role.UPLOADS)) {
        as(role);
      }
      if (busy.add(Role.TIMER)) {
        timer.runNext();
        busy.remove(Role.TIMER);
      }
    }
  }

  private static boolean holdsLocks() {
    long[] self = {Thread.currentThread().getId()};
    for (MonitorInfo monitor : THREADS.getThreadInfo(self, true, false)[0].getLockedMonitors()) {
      if (monitor.getClassName().startsWith("io.treecast.client.")) {
        return true;
      }
    }
    return false;
  }

  private void go() {
    int chance = random.nextInt(100);
    Role role =
        chance < 5
            ? Role.APPLICATION
            : chance < 15
                ? Role.TIMER
                : chance < 50
                    ? Role.NETWORK
                    : chance < 58
                        ? Role.CALLBACKS
                        : chance < 66 ? Role.UPLOADS : chance < 95 ? Role.AGENT : Role.WORLD;
    as(role);
  }

  private void as(Role role) {
    if (!busy.add(role)) {
      return;
    }
    try {
      switch (role) {
        case APPLICATION -> ask();
        case TIMER -> passTime();
        case NETWORK -> {
          if (random.nextBoolean()) {
            client.any(SimulatedChannel::write);
          } else {
            client.any(SimulatedChannel::comeBack);
          }
        }
        case CALLBACKS -> client.any(SimulatedChannel::callBack);
        case UPLOADS -> client.runUpload();
        case AGENT -> goOnAtAgent();
        case WORLD -> change();
      }
    } finally {
      busy.remove(role);
    }
  }

  private void goOnAtAgent() {
    if (!frozen && (random.nextBoolean() || !client.any(SimulatedChannel::arrive))) {
      runNext();
    }
  }

  /** Does the next thing at some agent. Returns false if no agent has anything to do. */
  private boolean runNext() {
    return agents.stream().anyMatch(SimulatedAgent::runNext);
  }

  private long nextNanos() {
    return present.values().stream().mapToLong(SimulatedAgent::nextNanos).min().orElseThrow();
  }

  private void passTime() {
    if (random.nextInt(4) == 0) {
      long next = Math.min(timer.nextNanos(), nextNanos());
      long most =
          timer.nowNanos()
              + TimeUnit.MILLISECONDS.toNanos(
                  1 + random.nextInt(random.nextInt(8) == 0 ? 2_000 : 50));
      timer.advanceTo(Math.min(next, most));
    }
    timer.runNext();
  }

  /**
   * Calls are begun and get nowhere, at an agent that hangs or a connection that was lost before
   * they were written, for about as long as their client waits.
   */
  private void hang() {
    if (busy.size() > 1) {
      return;
    }
    client.channel().lose(0, false);
    client.channel().connect(agent().service());
    for (int asked = random.nextInt(6); asked > 0; asked--) {
      as(Role.APPLICATION);
      timer.runNext();
    }
    if (random.nextInt(3) == 0) {
      client.channel().lose(0, false);
    }
    frozen = true;
    long untilNanos = timer.nowNanos() + TimeUnit.MILLISECONDS.toNanos(4_900 + random.nextInt(600));
    busy.remove(Role.WORLD);
    busy.add(Role.TIMER);
    while (timer.nextNanos() <= untilNanos) {
      timer.advanceTo(timer.nextNanos());
      timer.runNext();
    }
    busy.remove(Role.TIMER);
  }

  private void change() {
    switch (random.nextInt(22)) {
      case 0, 1, 2, 3, 4, 5, 6, 7, 8 -> client.channel().connect(agent().service());
      case 9 -> client.channel().lose(random.nextInt(6), false);
      case 10 -> client.channel().lose(Integer.MAX_VALUE, true);
      case 11 -> frozen = true;
      case 12, 13, 14, 15 -> frozen = false;
      case 20, 21 -> hang();
      case 16 -> {
        if (random.nextInt(3) == 0) {
          agent().stall();
        } else {
          agent().resume();
        }
      }
      case 17 -> {
        if (!leaving.contains(client.agent()) && !frozen && random.nextInt(4) == 0) {
          leaving.add(client.agent());
          agent().leave();
        }
      }
      default -> {
        // While the agent handles something it does not end.
        int address = random.nextBoolean() ? client.agent() : random.nextInt(present.size());
        if (busy.contains(Role.AGENT) || (!leaving.contains(address) && random.nextInt(8) != 0)) {
          return;
        }
        restart(address);
      }
    }
  }

  /** Kills the agent at an address, and starts its successor. */
  private void restart(int address) {
    SimulatedAgent killed = Objects.requireNonNull(present.get(address));
    client.killAgent(address);
    endedIncarnations.add((long) agents.indexOf(killed) + 1);
    killed.kill();
    startAgent(address);
  }

  // The application.

  private void ask() {
    Duration wait = Duration.ofMillis(random.nextInt(300));
    String name = "m" + attempts.size();
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> broadcast(name, BroadcastOptions.defaults().withWait(wait), null);
      case 5, 6 ->
          broadcast(name, BroadcastOptions.defaults().withWait(wait), client.token("t" + name));
      case 7, 8 -> repeat(wait);
      case 9 ->
          attempts.add(
              new Attempt(
                  Kind.UPLOAD,
                  name,
                  null,
                  client.upload(
                      new Pieces(name, random.nextInt(4)),
                      BroadcastOptions.defaults().withWait(wait))));
      case 10 ->
          attempts.add(
              new Attempt(
                  Kind.OPERATION,
                  name,
                  null,
                  client.barrier(name, CollectiveOptions.defaults().withWait(wait))));
      default -> {
        if (!attempts.isEmpty()) {
          attempts.get(random.nextInt(attempts.size())).result().cancel(false);
        }
      }
    }
  }

  private void broadcast(String name, BroadcastOptions options, @Nullable RetryToken token) {
    // Of one size for each name: what is sent again has to be the same.
    int padding = Math.floorMod(name.hashCode() * 31, 300);
    byte[] payload = (name + " ".repeat(padding)).getBytes(StandardCharsets.UTF_8);
    BroadcastOptions all = token == null ? options : options.withRetryToken(token);
    attempts.add(new Attempt(Kind.BROADCAST, name, token, client.broadcast(payload, all)));
  }

  /** Sends one again whose outcome is not that it was accepted, perhaps while it is under way. */
  private void repeat(Duration wait) {
    List<Attempt> repeatable =
        attempts.stream().filter(attempt -> attempt.token() != null).toList();
    if (!repeatable.isEmpty()) {
      Attempt again = repeatable.get(random.nextInt(repeatable.size()));
      count("repeated");
      broadcast(again.name(), BroadcastOptions.defaults().withWait(wait), again.token());
    }
  }

  /** A payload of some pieces, of which the first is the name. */
  private static final class Pieces implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
    private final String name;
    private final int more;
    private int given;
    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

    Pieces(String name, int more) {
      this.name = name;
      this.more = more;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> to) {
      subscriber = to;
      to.onSubscribe(this);
    }

    @Override
    public void request(long count) {
      Flow.Subscriber<? super ByteBuffer> to = subscriber;
      if (to == null) {
        return;
      }
      given++;
      String piece = given == 1 ? name : " ".repeat(700);
      to.onNext(ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)));
      if (given > more) {
        to.onComplete();
      }
    }

    @Override
    public void cancel() {
      subscriber = null;
    }
  }

  // The end.

  /** All faults are over, and everything comes to its end. */
  private void settle() {
    settling = true;
    frozen = false;
    List.copyOf(leaving).forEach(this::restart);
    present.values().forEach(SimulatedAgent::resume);
    long endNanos = timer.nowNanos() + TimeUnit.SECONDS.toNanos(30);
    while (timer.nowNanos() < endNanos) {
      client.channel().connect(agent().service());
      boolean hasMore = true;
      while (hasMore) {
        client.settle();
        hasMore = runNext();
      }
      timer.advanceTo(Math.min(endNanos, Math.min(timer.nextNanos(), nextNanos())));
    }
  }

  private List<String> check() {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> deliveries = new TreeMap<>();
    Map<String, Set<Integer>> asked = new TreeMap<>();
    Map<String, Set<Integer>> sent = new TreeMap<>();
    for (int i = 0; i < agents.size(); i++) {
      int address = addresses.get(i);
      SimulatedAgent each = agents.get(i);
      each.delivered().forEach(text -> deliveries.merge(text.strip(), 1, Integer::sum));
      each.operationsAsked()
          .forEach(name -> asked.computeIfAbsent(name, n -> new HashSet<>()).add(address));
      each.broadcastsAsked()
          .forEach(name -> sent.computeIfAbsent(name, n -> new HashSet<>()).add(address));
    }
    Map<String, List<Attempt>> byName = new TreeMap<>();
    for (Attempt attempt : attempts) {
      byName.computeIfAbsent(attempt.name(), name -> new ArrayList<>()).add(attempt);
    }
    byName.forEach(
        (name, all) -> {
          int times = deliveries.getOrDefault(name, 0);
          List<String> outcomes = all.stream().map(this::outcome).toList();
          boolean mayHaveLeft = !Collections.disjoint(outcomes, MAY_HAVE_LEFT);
          boolean isDue = all.stream().anyMatch(this::isAcceptedByLivingAgent);
          Set<Integer> askedAt = asked.getOrDefault(name, Set.of());
          boolean isAsked = !askedAt.isEmpty() && outcomes.contains("AGENT_UNREACHABLE");
          boolean isWrong =
              outcomes.contains("nothing")
                  || times > 1
                  || (times == 1 && !mayHaveLeft)
                  || (times == 0 && isDue)
                  || isAsked
                  || askedAt.size() > 1;
          if (isWrong) {
            wrong.add(name + " " + all.get(0).kind() + " " + outcomes + ": delivered " + times);
          }
          if (all.size() == 1 && sent.getOrDefault(name, Set.of()).size() > 1) {
            count("sent to another agent, since the first one left");
          }
          if (all.stream().anyMatch(this::isAcceptedElsewhere)) {
            count("accepted at another agent than the first");
          }
          outcomes.forEach(outcome -> count(all.get(0).kind() + " " + outcome));
        });
    return wrong;
  }

  private static final Set<String> MAY_HAVE_LEFT =
      Set.of("accepted", "cancelled", "OUTCOME_UNKNOWN", "CLOSED");

  private boolean isAcceptedByLivingAgent(Attempt attempt) {
    return attempt.kind() != Kind.OPERATION
        && outcome(attempt).equals("accepted")
        && attempt.result().join() instanceof BroadcastResult result
        && !endedIncarnations.contains(result.messageId().incarnation());
  }

  private boolean isAcceptedElsewhere(Attempt attempt) {
    return attempt.kind() != Kind.OPERATION
        && outcome(attempt).equals("accepted")
        && attempt.result().join() instanceof BroadcastResult result
        && addresses.get((int) result.messageId().incarnation() - 1) > 0;
  }

  private String outcome(Attempt attempt) {
    if (!attempt.result().isDone()) {
      return "nothing";
    }
    try {
      var unused = attempt.result().join();
      return "accepted";
    } catch (CancellationException e) {
      return "cancelled";
    } catch (CompletionException e) {
      Reason reason = e.getCause() instanceof TreecastException failure ? failure.reason() : null;
      return String.valueOf(reason);
    }
  }
}
