package io.treecast.cli.agent;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.PermissionsFile;
import io.treecast.agent.config.ServiceName;
import io.treecast.agent.core.message.Member;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentReport;
import io.treecast.ghs.NodeId;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checks of a machine for an agent with given settings. Single-threaded. */
final class HostChecks {
  private static final Pattern MAX_PROCESSES = Pattern.compile("(?m)^Max processes +(\\d+)");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path MOST_PIDS = Path.of("/sys/fs/cgroup/pids.max");

  private final AgentConfig config;
  private final List<Finding> findings = new ArrayList<>();

  HostChecks(AgentConfig config) {
    this.config = config;
  }

  /** Runs all checks. */
  List<Finding> findings() {
    findings.add(
        Finding.ok("settings", "valid, of agent " + config.id() + " at " + config.listen()));
    certificate();
    permissions();
    try (AgentInquiry agents = inquiry()) {
      port(agents);
      admin();
      advertised();
      seeds(agents);
    } catch (TlsFilesException e) {
      // Reported by the finding on the certificate.
      port(null);
      admin();
    }
    files();
    threads();
    memory();
    series();
    return List.copyOf(findings);
  }

  private AgentInquiry inquiry() throws TlsFilesException {
    Path directory = config.tls();
    return directory == null
        ? AgentInquiry.inPlainText(config.listen())
        : AgentInquiry.byTls(config.listen(), directory);
  }

  private void certificate() {
    Path directory = config.tls();
    if (directory == null) {
      findings.add(
          config.insecure()
              ? Finding.warn(
                  "certificate",
                  "none: connections are in plain text, and any client that reaches the agent may"
                      + " publish and subscribe",
                  "use tls beyond trusted networks")
              : Finding.ok("certificate", "none is needed on this machine alone"));
      return;
    }
    try (TlsFiles files =
        TlsFiles.ofAgent(
            directory,
            config.id().toString(),
            problem -> findings.add(Finding.warn("certificate", problem, "")))) {
      findings.add(Finding.certificate(files.expires(), Instant.now()));
    } catch (TlsFilesException e) {
      findings.add(Finding.fail("certificate", String.valueOf(e.getMessage()), ""));
    }
  }

  private void permissions() {
    Path file = config.permissions();
    if (file == null) {
      return;
    }
    try {
      PermissionsFile.read(file);
      findings.add(Finding.ok("permissions", file + " is valid"));
    } catch (ConfigException e) {
      findings.add(Finding.fail("permissions", String.valueOf(e.getMessage()), ""));
    }
  }

  private void port(@Nullable AgentInquiry agents) {
    HostPort listen = config.listen();
    String refusal = refusal(listen);
    if (refusal.isEmpty()) {
      findings.add(Finding.ok("port", listen + " is free"));
      return;
    }
    HostPort here = listen.isWildcard() ? new HostPort("127.0.0.1", listen.port()) : listen;
    AgentReport there = agents == null ? null : answer(agents, here);
    if (there != null && there.id().equals(config.id())) {
      findings.add(Finding.ok("port", "agent " + there.id() + " runs at " + here));
    } else {
      findings.add(
          Finding.fail(
              "port",
              listen
                  + " cannot be listened on ("
                  + refusal
                  + ")"
                  + (there == null ? "" : "; agent " + there.id() + " runs there"),
              "give the agent another port or address of this machine"));
    }
  }

  private void admin() {
    HostPort admin = config.admin();
    if (admin != null) {
      String refusal = refusal(admin);
      findings.add(
          refusal.isEmpty()
              ? Finding.ok("admin", admin + " is free")
              : Finding.warn(
                  "admin",
                  admin + " cannot be listened on (" + refusal + ")",
                  "if the agent does not run yet, give it another port"));
    }
  }

  /** Returns the reason why an address cannot be listened on; empty if it can. */
  private static String refusal(HostPort address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address.toSocketAddress());
      return "";
    } catch (IOException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  private void advertised() {
    Advertised advertised = config.advertise();
    if (advertised != null) {
      advertised
          .hosts()
          .forEach(
              host -> name("advertise", host, "others cannot dial this agent: correct advertise"));
    }
  }

  /** Adds a finding on whether a host name resolves, and returns it. */
  private boolean name(String subject, String host, String advice) {
    try {
      InetAddress[] addresses = InetAddress.getAllByName(host);
      findings.add(
          Finding.ok(
              subject,
              host
                  + " is "
                  + Arrays.stream(addresses)
                      .map(InetAddress::getHostAddress)
                      .collect(Collectors.joining(", "))));
      return true;
    } catch (UnknownHostException e) {
      findings.add(Finding.fail(subject, "the name " + host + " cannot be resolved", advice));
      return false;
    }
  }

  private void seeds(AgentInquiry agents) {
    List<String> seeds = config.membership().seeds();
    if (seeds.isEmpty()) {
      findings.add(
          Finding.warn(
              "seeds",
              "none: the agent waits for others to dial it",
              "give it seeds, or make it a seed of another agent"));
    }
    for (String seed : seeds) {
      if (ServiceName.is(seed)) {
        findings.add(
            Finding.ok("seed", seed + ": the agent asks DNS for its SRV records at each attempt"));
        continue;
      }
      try {
        seed(agents, seed, HostPort.parseRemote("seeds", seed));
      } catch (ConfigException e) {
        findings.add(Finding.fail("seed", String.valueOf(e.getMessage()), "correct seeds"));
      }
    }
  }

  private void seed(AgentInquiry agents, String seed, HostPort address) {
    if (address.isName() && !name("seed", address.host(), "correct seeds, or the DNS")) {
      return;
    }
    long askedMillis = System.currentTimeMillis();
    try {
      AgentReport there = agents.ask(new Member(NodeId.of("seed"), seed));
      long tookMillis = System.currentTimeMillis() - askedMillis;
      findings.add(Finding.ok("seed", "agent " + there.id() + " answers at " + seed));
      if (there.selfReport().unixMillis() > 0 && !there.id().equals(config.id())) {
        long aheadMillis = askedMillis + tookMillis / 2 - there.selfReport().unixMillis();
        findings.add(Finding.clock("agent " + there.id(), aheadMillis));
      }
    } catch (AgentInquiry.FailedException e) {
      findings.add(
          e.isPermissionDenied()
              ? Finding.ok(
                  "seed",
                  "an agent answers at " + seed + "; its permissions do not show its id and clock")
              : Finding.warn(
                  "seed",
                  seed + ": " + e.reason(),
                  "check that the agent runs there, and that firewalls permit connections"));
    }
  }

  private static @Nullable AgentReport answer(AgentInquiry agents, HostPort address) {
    try {
      return agents.ask(new Member(NodeId.of("here"), address.toString()));
    } catch (AgentInquiry.FailedException e) {
      return null;
    }
  }

  private void files() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      findings.add(Finding.files(unix.getMaxFileDescriptorCount()));
    }
  }

  private void threads() {
    long most = Long.MAX_VALUE;
    Matcher processes = MAX_PROCESSES.matcher(text(LIMITS));
    if (processes.find()) {
      most = Long.parseLong(processes.group(1));
    }
    String pids = text(MOST_PIDS).strip();
    if (pids.matches("\\d{1,18}")) {
      most = Math.min(most, Long.parseLong(pids));
    }
    findings.add(
        most == Long.MAX_VALUE
            ? Finding.ok("threads", "no limit is known")
            : Finding.threads(most));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return ""; // Only Linux has such files.
    }
  }

  private void memory() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine) {
      findings.add(Finding.memory(machine.getTotalMemorySize(), heapBytes));
    }
    String small =
        HeapNeed.warning(
            config.broadcast().memoryBytes(), config.collectives().totalBytes(), heapBytes);
    findings.add(
        small == null
            ? Finding.ok("heap", "large enough for limits.memoryBytes")
            : Finding.warn("heap", small, ""));
  }

  private void series() {
    Path directory = config.series();
    if (directory == null) {
      return;
    }
    Path existing = directory.toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    findings.add(
        existing != null && Files.isDirectory(existing) && Files.isWritable(existing)
            ? Finding.ok("series", directory + " can be written")
            : Finding.fail(
                "series",
                directory + " is not a directory that this user can write",
                "give it to the user of the agent"));
  }
}
