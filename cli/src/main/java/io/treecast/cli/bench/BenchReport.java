package io.treecast.cli.bench;

import io.treecast.cli.query.TreeJson;
import java.io.PrintWriter;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * The outcome of {@code treecast bench}. The cost of a hop is the difference between all agents and
 * one agent, divided by the number of additional agents; both include the applications and the
 * first agent. The cost of a plain relay is calculated in the same way against the plain stream.
 *
 * @param plain the throughput of one gRPC stream
 * @param relays the throughput of a line of plain relays, one fewer than agents
 * @param alone the throughput between applications through one agent
 * @param cluster the throughput between applications through all agents
 */
public record BenchReport(
    BenchCluster.Shape shape,
    int agents,
    int payloadBytes,
    Throughput plain,
    Throughput relays,
    Throughput alone,
    Throughput cluster) {

  private double hopCpuMicros() {
    return (cluster.cpuMicrosPerMessage() - alone.cpuMicrosPerMessage()) / (agents - 1);
  }

  private double hopCpuRatio() {
    return hopCpuMicros() / plain.cpuMicrosPerMessage();
  }

  private double relayCpuMicros() {
    return (relays.cpuMicrosPerMessage() - plain.cpuMicrosPerMessage()) / (agents - 1);
  }

  private double hopToRelayCpuRatio() {
    return hopCpuMicros() / relayCpuMicros();
  }

  private double rateRatio() {
    return cluster.messagesPerSecond() / plain.messagesPerSecond();
  }

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "payloads of %d bytes; %d processors, Java %s%n%n",
        payloadBytes,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature());
    out.printf(
        Locale.ROOT,
        "%-24s %12s %10s %15s %11s%n",
        "",
        "messages/s",
        "MB/s",
        "CPU us/message",
        "CPU s/GiB");
    print(out, "plain gRPC stream", plain);
    print(out, (agents - 1) + " plain relays in a line", relays);
    print(out, "one agent", alone);
    print(out, agents + " agents in a " + shape, cluster);
    printCost(out, "each plain relay", relayCpuMicros());
    printCost(out, "each hop", hopCpuMicros());
    out.printf(
        Locale.ROOT,
        "%na hop takes %.2f times the CPU of a plain relay, %.2f times that of the plain stream;"
            + " the last member receives %.2f times the stream's rate%n",
        hopToRelayCpuRatio(),
        hopCpuRatio(),
        rateRatio());
    out.flush();
  }

  private void printCost(PrintWriter out, String what, double cpuMicrosPerMessage) {
    out.printf(
        Locale.ROOT,
        "%-24s %12s %10s %15.1f %11.2f%n",
        what,
        "",
        "",
        cpuMicrosPerMessage,
        plain.cpuSecondsPerGib(cpuMicrosPerMessage));
  }

  private static void print(PrintWriter out, String what, Throughput measured) {
    out.printf(
        Locale.ROOT,
        "%-24s %12s %10.1f %15.1f %11.2f%n",
        what,
        messages(measured.messagesPerSecond()),
        measured.megabytesPerSecond(),
        measured.cpuMicrosPerMessage(),
        measured.cpuSecondsPerGib(measured.cpuMicrosPerMessage()));
  }

  private static String messages(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.3f" : "%.0f", perSecond);
  }

  public ObjectNode toJson() {
    ObjectNode json =
        TreeJson.object()
            .put("shape", shape.toString())
            .put("agents", agents)
            .put("payloadBytes", payloadBytes)
            .put("processors", Runtime.getRuntime().availableProcessors());
    add(json.putObject("plainStream"), plain);
    add(json.putObject("plainRelays"), relays);
    add(json.putObject("oneAgent"), alone);
    add(json.putObject("cluster"), cluster);
    return json.put("hopCpuMicrosPerMessage", hopCpuMicros())
        .put("hopCpuSecondsPerGib", plain.cpuSecondsPerGib(hopCpuMicros()))
        .put("relayCpuMicrosPerMessage", relayCpuMicros())
        .put("relayCpuSecondsPerGib", plain.cpuSecondsPerGib(relayCpuMicros()))
        .put("hopCpuRatio", hopCpuRatio())
        .put("hopToRelayCpuRatio", hopToRelayCpuRatio())
        .put("rateRatio", rateRatio());
  }

  private static void add(ObjectNode json, Throughput measured) {
    json.put("messagesPerSecond", measured.messagesPerSecond())
        .put("megabytesPerSecond", measured.megabytesPerSecond())
        .put("cpuMicrosPerMessage", measured.cpuMicrosPerMessage())
        .put("cpuSecondsPerGib", measured.cpuSecondsPerGib(measured.cpuMicrosPerMessage()));
  }
}
