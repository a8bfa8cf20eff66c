import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The process of a member: reads commands from standard input, and writes reports to standard output. Times are those of
 * System.nanoTime, which all processes of a machine share.
 *
 *   java MemberProcess SYSTEM DIRECTORY SELF ADDRESS:SITE ...
 */
final class MemberProcess {
  private static final PrintStream REPORTS = System.out;

  public static void main(String[] arguments) throws Exception {
    System.setOut(System.err); // Libraries print on it.
    List<String> addresses = new ArrayList<>();
    List<Integer> sites = new ArrayList<>();
    for (int i = 3; i < arguments.length; i++) {
      String[] node = arguments[i].split(":");
      addresses.add(node[0]);
      sites.add(Integer.parseInt(node[1]));
    }
    Member.Nodes nodes = new Member.Nodes(Integer.parseInt(arguments[2]), addresses, sites);
    Path directory = Path.of(arguments[1]);
    Counter counter = new Counter();
    try (Member member =
        switch (arguments[0]) {
          case "treecast" -> new TreecastMember(nodes, counter);
          case "nats" -> new NatsMember(nodes, counter);
          case "jgroups" -> new JGroupsMember(nodes, directory, false, counter);
          case "jgroups-relay" -> new JGroupsMember(nodes, directory, true, counter);
          case "grpc-star" -> new StarMember(nodes, counter);
          default -> throw new IllegalArgumentException("no system " + arguments[0]);
        }) {
      member.awaitAll();
      report("ready");
      serve(member);
    } catch (Throwable e) {
      e.printStackTrace();
      report("failed " + e);
    }
    System.exit(0);
  }

  private static void serve(Member member) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      int run = Integer.parseInt(words[1]);
      switch (words[0]) {
        case "broadcast" -> {
          int bytes = Integer.parseInt(words[2]);
          int count = Integer.parseInt(words[3]);
          byte[] message = payload(run, bytes, (long) bytes * count);
          report("began " + run + " " + System.nanoTime());
          member.broadcast(message, count);
        }
        case "large" -> {
          int bytes = Integer.parseInt(words[2]);
          byte[] payload = payload(run, bytes, bytes);
          report("began " + run + " " + System.nanoTime());
          member.broadcastLarge(payload);
        }
        case "reduce" -> {
          float[] vector = new float[Integer.parseInt(words[2])];
          java.util.Arrays.fill(vector, 1);
          report("began " + run + " " + System.nanoTime());
          member.allReduce(run, vector);
          report("received " + run + " " + System.nanoTime());
        }
        default -> throw new IllegalArgumentException("no command " + line);
      }
    }
  }

  private static byte[] payload(int run, int bytes, long runBytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(run).nextBytes(payload); // Nothing can compress it.
    new Header(run, runBytes).write(payload);
    return payload;
  }

  private static void report(String line) {
    synchronized (REPORTS) {
      REPORTS.println(line);
      REPORTS.flush();
    }
  }

  /** Reports a run when all of its bytes are there. */
  private static final class Counter implements Member.Receiver {
    private int run = -1;
    private long runBytes;
    private long received;

    @Override
    public synchronized void message(byte[] bytes, int offset, int length) {
      Header header = Header.read(bytes, offset);
      if (header.run() != run) {
        run = header.run();
        runBytes = header.runBytes();
        received = 0;
      }
      more(length);
    }

    @Override
    public synchronized void more(int length) {
      received += length;
      if (received == runBytes) {
        report("received " + run + " " + System.nanoTime());
      } else if (received > runBytes) {
        report("failed run " + run + ": received " + received + " bytes instead of " + runBytes);
      }
    }
  }
}
