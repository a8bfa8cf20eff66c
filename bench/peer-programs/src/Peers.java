import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures several systems on the same emulated network, one after the other: starts a process of each at each node, lets nodes
 * broadcast and reduce, and takes the time until the last one has all. See bench/peers.
 */
final class Peers {
  private static final int WARM_UP_ROUNDS = 2;
  private static final int SMALL_BYTES = 1000;
  private static final Duration START_AT_MOST = Duration.ofMinutes(5);

  /** The measurements to take, from system properties. */
  private record Plan(
      List<String> systems, int source, double megabits, int smallRounds, List<Integer> largeMebibytes, int largeRounds,
      List<Integer> rateBytes, int rateMessages, List<Integer> reduceBytes, int reduceRounds, Duration settle,
      Duration atMost) {
    static Plan fromProperties() {
      return new Plan(
          Arrays.asList(property("systems", "treecast,grpc-star,nats,jgroups,jgroups-relay,openmpi,mpich").split(",")),
          Integer.parseInt(property("source", "12")),
          Double.parseDouble(property("megabits", "100")),
          Integer.parseInt(property("small-rounds", "5")),
          numbers("large-mebibytes", "1,16,64"),
          Integer.parseInt(property("large-rounds", "3")),
          numbers("rate-bytes", "100,1000"),
          Integer.parseInt(property("rate-messages", "50000")),
          numbers("reduce-bytes", "8,1048576,67108864"),
          Integer.parseInt(property("reduce-rounds", "3")),
          Duration.ofSeconds(Integer.parseInt(property("settle-seconds", "120"))),
          Duration.ofSeconds(Integer.parseInt(property("case-seconds", "300"))));
    }

    private static String property(String name, String otherwise) {
      return System.getProperty(name, otherwise);
    }

    private static List<Integer> numbers(String name, String otherwise) {
      return Arrays.stream(property(name, otherwise).split(","))
          .filter(number -> !number.isBlank())
          .map(Integer::parseInt)
          .collect(Collectors.toList());
    }
  }

  private final Plan plan;
  private final Path work;
  private final Network network;
  private final List<Integer> sites;
  private final Results results;

  private Peers(Plan plan, Path work, Network network, List<Integer> sites, Results results) {
    this.plan = plan;
    this.work = work;
    this.network = network;
    this.sites = sites;
    this.results = results;
  }

  /** Arguments: the network's CSV, a directory with the programs "emulator" and "mpi-NAME", and the CSV to write. */
  public static void main(String[] arguments) throws Exception {
    Plan plan = Plan.fromProperties();
    double[][] roundTripMillis = Network.read(Path.of(arguments[0]));
    Path work = Path.of(arguments[1]);
    int perSite = Integer.getInteger("nodes-per-site", 4);
    List<Integer> sites =
        IntStream.range(0, roundTripMillis.length).mapToObj(i -> i / perSite).collect(Collectors.toList());
    try (Network network =
            new Network(
                roundTripMillis, plan.megabits, Integer.getInteger("mtu", 9000),
                Double.parseDouble(System.getProperty("queue-millis", "200")), work.resolve("emulator"));
        Results results = new Results(Path.of(arguments[2]))) {
      Thread cleanUp = new Thread(() -> closeQuietly(network));
      Runtime.getRuntime().addShutdownHook(cleanUp);
      System.out.printf("%d nodes, uplinks of %.0f Mbit/s%n", network.size(), plan.megabits);
      Peers peers = new Peers(plan, work, network, sites, results);
      for (String system : plan.systems) {
        System.err.printf("peers: %s%n", system);
        try {
          if (system.equals("openmpi") || system.equals("mpich")) {
            peers.measureMpi(system);
          } else {
            peers.measure(system);
          }
        } catch (IOException | IllegalStateException e) {
          results.notRun(system, e.getMessage());
        }
        network.killAll();
        System.err.printf("peers: network: %s%n", network.health());
      }
      results.print(plan.systems);
      Runtime.getRuntime().removeShutdownHook(cleanUp);
    }
  }

  private static void closeQuietly(Network network) {
    try {
      network.close();
    } catch (IOException | InterruptedException e) {
      System.err.println("peers: " + e);
    }
  }

  /** A process of a member, and its reports. */
  private final class Running {
    private final Process process;
    private final PrintStream commands;
    private final LinkedBlockingQueue<String> reports = new LinkedBlockingQueue<>();
    private final int node;

    Running(String system, int node) throws IOException {
      this.node = node;
      List<String> command = network.inNamespace(node);
      command.addAll(List.of("java", "-Xmx900m", "-XX:+UseSerialGC"));
      Arrays.stream(System.getProperty("java-options", "").split(",")).filter(o -> !o.isEmpty()).forEach(command::add);
      command.addAll(List.of("-cp",
          System.getProperty("java.class.path"), "MemberProcess", system, work.toString(), Integer.toString(node)));
      for (int i = 0; i < network.size(); i++) {
        command.add(network.address(i) + ":" + sites.get(i));
      }
      process =
          new ProcessBuilder(command)
              .redirectError(work.resolve(system + "-" + node + ".log").toFile())
              .start();
      commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
      Thread reader = new Thread(this::read, "reports of " + node);
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        lines.lines().forEach(reports::add);
      } catch (IOException e) {
        reports.add("failed " + e);
      }
      reports.add("failed the process has ended");
    }

    /** Waits for a report of a run, and returns its time; fails when the deadline has passed. */
    long await(String word, int run, long deadlineNanos) throws InterruptedException {
      while (true) {
        String report = reports.poll(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (report == null) {
          throw new IllegalStateException("node " + node + " reported no '" + word + "' in time");
        }
        String[] words = report.split(" ");
        if (words[0].equals("failed")) {
          throw new IllegalStateException("node " + node + ": " + report);
        }
        if (words[0].equals(word) && (run < 0 || Integer.parseInt(words[1]) == run)) {
          return run < 0 ? 0 : Long.parseLong(words[2]);
        }
      }
    }
  }

  private int runs;

  private void measure(String system) throws IOException, InterruptedException {
    runs = 0;
    if (system.equals("nats")) {
      startNatsServers();
    }
    List<Running> members = new ArrayList<>();
    for (int node = 0; node < network.size(); node++) {
      members.add(new Running(system, node));
    }
    long deadline = System.nanoTime() + START_AT_MOST.toNanos();
    for (Running member : members) {
      member.await("ready", -1, deadline);
    }
    System.err.printf("peers: %s is ready%n", system);
    Thread.sleep(system.equals("treecast") ? plan.settle.toMillis() : 2_000);

    for (int round = -WARM_UP_ROUNDS; round < plan.smallRounds; round++) {
      for (int source = 0; source < network.size() && plan.smallRounds > 0; source++) {
        Figure figure = broadcast(members, "broadcast", source, SMALL_BYTES, 1);
        add(system, "small", SMALL_BYTES, 1, source, round, figure, network.limitNanos(source) / 1e9);
      }
    }
    each(system, "large", plan.largeMebibytes, plan.largeRounds, (mebibytes, round) -> {
      int bytes = mebibytes << 20;
      Figure figure = broadcast(members, "large", plan.source, bytes, 1);
      add(system, "large", bytes, 1, plan.source, round, figure, uplinkSeconds(bytes) + network.limitNanos(plan.source) / 1e9);
    });
    each(system, "rate", plan.rateBytes, 2, (bytes, round) -> {
      Figure figure = broadcast(members, "broadcast", plan.source, bytes, plan.rateMessages);
      add(system, "rate", bytes, plan.rateMessages, plan.source, round, figure,
          uplinkSeconds((long) bytes * plan.rateMessages) + network.limitNanos(plan.source) / 1e9);
    });
    if (system.equals("treecast")) {
      each(system, "reduce", plan.reduceBytes, plan.reduceRounds, (bytes, round) -> {
        Figure figure = reduce(members, Math.max(1, bytes / Float.BYTES));
        add(system, "reduce", bytes, 1, 0, round, figure, reduceLimitSeconds(bytes));
      });
    }
  }

  private interface Case {
    void run(int number, int round) throws IOException, InterruptedException;
  }

  /**
   * Carries out a case for each number; one that fails ends only those of its kind. The first case also runs once
   * uncounted, because programs load and compile their code meanwhile.
   */
  private void each(String system, String kind, List<Integer> numbers, int rounds, Case one)
      throws IOException, InterruptedException {
    try {
      for (int number : numbers) {
        for (int round = rounds > 0 && number == numbers.get(0) ? -1 : 0; round < rounds; round++) {
          one.run(number, round);
        }
      }
    } catch (IllegalStateException e) {
      results.notRun(system + " " + kind, e.getMessage());
    }
  }

  private record Figure(double seconds, long crossedBytes) {}

  private void add(
      String system, String kind, long bytes, int messages, int source, int round, Figure figure, double limitSeconds) {
    if (!kind.equals("small")) {
      System.err.printf("peers: %s %s %d bytes: %.3f s, limit %.3f s%s%n", system, kind, bytes, figure.seconds, limitSeconds,
          round < 0 ? ", uncounted" : "");
    }
    if (round < 0) {
      return;
    }
    results.add(
        new Results.Figure(system, kind, bytes, messages, source, round, figure.seconds, limitSeconds, figure.crossedBytes));
  }

  private Figure broadcast(List<Running> members, String command, int source, int bytes, int count)
      throws IOException, InterruptedException {
    int run = ++runs;
    long before = crossedBytes();
    long deadline = System.nanoTime() + plan.atMost.toNanos();
    members.get(source).commands.println(command + " " + run + " " + bytes + (command.equals("large") ? "" : " " + count));
    long began = members.get(source).await("began", run, deadline);
    long ended = began;
    for (Running member : members) {
      if (member.node != source) {
        ended = Math.max(ended, member.await("received", run, deadline));
      }
    }
    return new Figure((ended - began) / 1e9, crossedBytes() - before);
  }

  private Figure reduce(List<Running> members, int floats) throws IOException, InterruptedException {
    int run = ++runs;
    long before = crossedBytes();
    long deadline = System.nanoTime() + plan.atMost.toNanos();
    members.forEach(member -> member.commands.println("reduce " + run + " " + floats));
    long began = 0;
    for (Running member : members) {
      began = Math.max(began, member.await("began", run, deadline)); // The last one begins the operation.
    }
    long ended = began;
    for (Running member : members) {
      ended = Math.max(ended, member.await("received", run, deadline));
    }
    return new Figure((ended - began) / 1e9, crossedBytes() - before);
  }

  private double uplinkSeconds(long bytes) {
    return plan.megabits == 0 ? 0 : bytes * 8 / (plan.megabits * 1e6);
  }

  /** Each member must send and receive nearly two vectors, and what the most central member adds up must reach all. */
  private double reduceLimitSeconds(long bytes) {
    double radiusNanos = IntStream.range(0, network.size()).mapToDouble(network::limitNanos).min().orElseThrow();
    int n = network.size();
    return 2 * radiusNanos / 1e9 + (bytes < 1 << 16 ? 0 : uplinkSeconds(2 * bytes * (n - 1) / n));
  }

  private long crossedBytes() throws IOException {
    long crossed = 0;
    long[][] sent = network.sentBytes();
    for (int i = 0; i < sent.length; i++) {
      for (int j = 0; j < sent.length; j++) {
        crossed += sites.get(i).equals(sites.get(j)) ? 0 : sent[i][j];
      }
    }
    return crossed;
  }

  private void startNatsServers() throws IOException {
    for (int i = 0; i < network.size(); i++) {
      // One end of each pair connects: if both do over a long link, both connections end as duplicates, again and again.
      String routes =
          IntStream.range(0, i)
              .mapToObj(lower -> "nats-route://" + network.address(lower) + ":6222")
              .collect(Collectors.joining(", "));
      Path config = work.resolve("nats-" + i + ".conf");
      Files.writeString(config,
          "server_name: n" + i + "\nlisten: 127.0.0.1:4222\nmax_payload: 8MB\nmax_pending: 3GB\nwrite_deadline: \"600s\"\n"
              + "cluster { name: peers, listen: \"" + network.address(i) + ":6222\", no_advertise: true, routes: [" + routes + "] }\n");
      new ProcessBuilder(network.inNamespace(i, "nats-server", "-c", config.toString()))
          .redirectErrorStream(true)
          .redirectOutput(work.resolve("nats-server-" + i + ".log").toFile())
          .start();
    }
  }

  /** Starts one MPI job; its first rank reports each measurement as a line. */
  private void measureMpi(String system) throws IOException, InterruptedException {
    File program = work.resolve("mpi-" + system).toFile();
    if (!program.exists()) {
      throw new IllegalStateException("no program " + program + "; is " + system + " installed?");
    }
    Path launcher = work.resolve("launch");
    Files.writeString(launcher,
        "#!/usr/bin/env bash\n# launch [-x] ADDRESS COMMAND...: as ssh would, in the namespace of an address.\n"
            + "while [ \"${1#-}\" != \"$1\" ]; do shift; done\n"
            + "node=$((${1##*.} - 1)); shift\n"
            + "export TMPDIR=" + work + "/mpi-$node; mkdir -p $TMPDIR\n"
            + "exec ip netns exec " + network.namespace(0).replaceAll("0$", "") + "$node unshare --uts "
            + "bash -c \"hostname node$node; $*\"\n");
    launcher.toFile().setExecutable(true);
    String hosts =
        IntStream.range(0, network.size()).mapToObj(network::address).collect(Collectors.joining(","));
    List<String> arguments = new ArrayList<>();
    arguments.add(program.toString());
    arguments.addAll(List.of(Integer.toString(WARM_UP_ROUNDS), Integer.toString(plan.smallRounds), Integer.toString(plan.source),
        Integer.toString(plan.largeRounds), Integer.toString(plan.reduceRounds)));
    plan.largeMebibytes.forEach(mebibytes -> arguments.add("large=" + ((long) mebibytes << 20)));
    plan.reduceBytes.forEach(bytes -> arguments.add("reduce=" + bytes));
    List<String> command = new ArrayList<>(network.inNamespace(0, "unshare", "--uts", "env", "TMPDIR=" + work,
        "MPIR_CVAR_NOLOCAL=1", "UCX_TLS=tcp,self", "UCX_NET_DEVICES=" + Network.DEVICE)); // MPICH sees one machine.
    if (system.equals("openmpi")) {
      command.addAll(List.of("bash", "-c", "hostname first; exec \"$@\"", "mpirun", "mpirun.openmpi", "--allow-run-as-root",
          "-np", Integer.toString(network.size()), "-host", hosts, "--map-by", "node", "--bind-to", "none",
          "--mca", "plm_rsh_agent", launcher.toString(), "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "btl", "tcp,self",
          "--mca", "pml", "ob1", "--mca", "btl_tcp_if_include", Network.DEVICE, "--mca", "oob_tcp_if_include", Network.DEVICE,
          "--mca", "mpi_yield_when_idle", "1"));
    } else {
      command.addAll(List.of("bash", "-c", "hostname first; exec \"$@\"", "mpirun", "mpirun.mpich", "-np",
          Integer.toString(network.size()), "-hosts", hosts, "-launcher", "ssh", "-launcher-exec", launcher.toString(),
          "-iface", Network.DEVICE));
    }
    command.addAll(arguments);
    Process job = new ProcessBuilder(command).redirectError(work.resolve(system + ".log").toFile()).start();
    Thread killer = new Thread(() -> {
      try {
        if (!job.waitFor(4 * plan.atMost.toSeconds(), TimeUnit.SECONDS)) {
          job.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    killer.setDaemon(true);
    killer.start();
    long before = crossedBytes();
    int lines = 0;
    boolean done = false;
    try (BufferedReader reports =
        new BufferedReader(new InputStreamReader(job.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reports.readLine(); line != null; line = reports.readLine()) {
        String[] words = line.split(" "); // KIND BYTES SOURCE ROUND SECONDS
        done = line.equals("done");
        if (done) {
          break;
        }
        if (words.length != 5 || !List.of("small", "large", "reduce").contains(words[0])) {
          System.err.println("peers: " + line);
          continue;
        }
        long bytes = Long.parseLong(words[1]);
        int source = Integer.parseInt(words[2]);
        long after = crossedBytes();
        double limit =
            switch (words[0]) {
              case "small" -> network.limitNanos(source) / 1e9;
              case "large" -> uplinkSeconds(bytes) + network.limitNanos(source) / 1e9;
              default -> reduceLimitSeconds(bytes);
            };
        add(system, words[0], bytes, 1, source, Integer.parseInt(words[3]),
            new Figure(Double.parseDouble(words[4]), after - before), limit);
        before = after;
        lines++;
      }
    }
    if (!done) {
      results.notRun(
          system + " after " + lines + " measurements", "it ended with " + job.waitFor() + "; see " + work.resolve(system + ".log"));
    }
    job.destroyForcibly();
  }
}
