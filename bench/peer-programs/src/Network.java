import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A network namespace for each node, and the emulator that carries packets between them. Removes all of it when closed. */
final class Network implements AutoCloseable {
  static final String DEVICE = "wan";

  private final String prefix = "tcpeers" + ProcessHandle.current().pid() + "-";
  private final double[][] roundTripMillis;
  private final Process emulator;
  private final PrintStream commands;
  private final BufferedReader answers;

  Network(double[][] roundTripMillis, double megabits, int mtu, double queueMillis, Path emulatorProgram)
      throws IOException, InterruptedException {
    this.roundTripMillis = roundTripMillis;
    for (int i = 0; i < size(); i++) {
      run("ip", "netns", "add", namespace(i));
      run("ip", "-n", namespace(i), "link", "set", "lo", "up");
      run("ip", "-n", namespace(i), "tuntap", "add", "dev", DEVICE, "mode", "tun");
      run("ip", "-n", namespace(i), "link", "set", DEVICE, "up", "mtu", Integer.toString(mtu), "txqueuelen", "4000");
      run("ip", "-n", namespace(i), "addr", "add", address(i) + "/24", "dev", DEVICE);
      // Windows for the bandwidth times the longest round trip; nothing is remembered of connections before.
      run(inNamespace(i, "sysctl", "-qw", "net.ipv4.tcp_no_metrics_save=1", "net.ipv4.tcp_rmem=4096 131072 33554432",
          "net.ipv4.tcp_wmem=4096 131072 33554432"));
    }
    // Before all others: a network does not wait for a processor.
    emulator =
        new ProcessBuilder("nice", "-n", "-15", emulatorProgram.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    commands = new PrintStream(emulator.getOutputStream(), true, StandardCharsets.UTF_8);
    answers = new BufferedReader(new InputStreamReader(emulator.getInputStream(), StandardCharsets.UTF_8));
    commands.println("queue " + queueMillis);
    for (int i = 0; i < size(); i++) {
      commands.println("node " + namespace(i) + " " + DEVICE + " " + address(i) + " " + megabits);
    }
    for (int i = 0; i < size(); i++) {
      for (int j = 0; j < i; j++) {
        commands.println("roundtrip " + i + " " + j + " " + roundTripMillis[i][j]);
      }
    }
    commands.println("start");
    if (answers.readLine() == null) {
      throw new IOException("the emulator has ended");
    }
  }

  int size() {
    return roundTripMillis.length;
  }

  String address(int node) {
    return "10.99.0." + (node + 1);
  }

  String namespace(int node) {
    return prefix + node;
  }

  List<String> inNamespace(int node, String... command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace(node)));
    all.addAll(Arrays.asList(command));
    return all;
  }

  /** The bytes that each node has sent to each, since the start. */
  synchronized long[][] sentBytes() throws IOException {
    commands.println("counts");
    long[][] sent = new long[size()][];
    for (int i = 0; i < size(); i++) {
      sent[i] = Arrays.stream(answers.readLine().split(" ")).mapToLong(Long::parseLong).toArray();
    }
    return sent;
  }

  /** The numbers of packets carried and dropped, in words. */
  synchronized String health() throws IOException {
    commands.println("health");
    String[] counts = answers.readLine().split(" ");
    return counts[0] + " packets carried, " + counts[2] + " dropped by full uplinks, at most " + counts[3] + " us late";
  }

  /** The time that the last node needs at least to have a message of a node: along the fastest paths, in nanoseconds. */
  double limitNanos(int source) {
    double[] at = roundTripMillis[source].clone();
    for (int step = 0; step < size(); step++) {
      for (int i = 0; i < size(); i++) {
        for (int j = 0; j < size(); j++) {
          at[j] = Math.min(at[j], at[i] + roundTripMillis[i][j]);
        }
      }
    }
    return Arrays.stream(at).max().orElseThrow() / 2 * 1e6;
  }

  static double[][] read(Path csv) throws IOException {
    return Files.readAllLines(csv).stream()
        .filter(line -> !line.isBlank())
        .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }

  static void run(String... command) throws IOException, InterruptedException {
    run(Arrays.asList(command));
  }

  static void run(List<String> command) throws IOException, InterruptedException {
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code);
    }
  }

  /** Kills all processes of the namespaces. */
  void killAll() throws IOException, InterruptedException {
    for (int i = 0; i < size(); i++) {
      Process pids = new ProcessBuilder("ip", "netns", "pids", namespace(i)).start();
      for (String pid : new String(pids.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\\s+")) {
        if (!pid.isEmpty()) {
          ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    }
    TimeUnit.SECONDS.sleep(1);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    killAll();
    emulator.destroyForcibly().waitFor();
    for (int i = 0; i < size(); i++) {
      if (new File("/run/netns/" + namespace(i)).exists()) {
        run("ip", "netns", "del", namespace(i));
      }
    }
  }
}
