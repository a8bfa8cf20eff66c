package io.treecast.cli.bench;

import io.treecast.cli.query.TreeJson;
import java.io.PrintWriter;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * The outcome of {@code treecast bench}. What a hop costs is the difference that the other agents
 * make, divided by their number: the applications' own part, and the first agent's, is in both.
 *
 * @param plain over one gRPC stream
 * @param alone from application to application through one agent
 * @param cluster the same through all agents
 */
public record BenchReport(
    BenchCluster.Shape shape,
    int agents,
    int payloadBytes,
    Throughput plain,
    Throughput alone,
    Throughput cluster) {

  private double hopCpuMicros() {
    return (cluster.cpuMicrosPerMessage() - alone.cpuMicrosPerMessage()) / (agents - 1);
  }

  private double hopCpuRatio() {
    return hopCpuMicros() / plain.cpuMicrosPerMessage();
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
        "CPU µs/message",
        "CPU s/GiB");
    print(out, "plain gRPC stream", plain);
    print(out, "one agent", alone);
    print(out, agents + " agents in a " + shape, cluster);
    out.printf(
        Locale.ROOT,
        "%-24s %12s %10s %15.1f %11.2f%n%n",
        "each hop",
        "",
        "",
        hopCpuMicros(),
        plain.cpuSecondsPerGib(hopCpuMicros()));
    out.printf(
        Locale.ROOT,
        "a hop takes %.2f times the CPU of the plain stream; the last member receives %.2f times its rate%n",
        hopCpuRatio(),
        rateRatio());
    out.flush();
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
    add(json.putObject("oneAgent"), alone);
    add(json.putObject("cluster"), cluster);
    return json.put("hopCpuMicrosPerMessage", hopCpuMicros())
        .put("hopCpuSecondsPerGib", plain.cpuSecondsPerGib(hopCpuMicros()))
        .put("hopCpuRatio", hopCpuRatio())
        .put("rateRatio", rateRatio());
  }

  private static void add(ObjectNode json, Throughput measured) {
    json.put("messagesPerSecond", measured.messagesPerSecond())
        .put("megabytesPerSecond", measured.megabytesPerSecond())
        .put("cpuMicrosPerMessage", measured.cpuMicrosPerMessage())
        .put("cpuSecondsPerGib", measured.cpuSecondsPerGib(measured.cpuMicrosPerMessage()));
  }
}
