import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.BytesMessage;

/** A member of a JGroups cluster over TCP: of one cluster of all nodes, or of one cluster for each site joined by RELAY2. */
final class JGroupsMember implements Member {
  private static final int LARGE_MESSAGE_BYTES = 256 << 10;
  private static final byte HELLO = 1;
  private static final byte DATA = 2;

  private final Nodes nodes;
  private final JChannel channel;
  private final Set<Integer> met = ConcurrentHashMap.newKeySet();

  JGroupsMember(Nodes nodes, Path directory, boolean relay, Receiver receiver) throws Exception {
    this.nodes = nodes;
    int site = nodes.sites().get(nodes.self());
    List<String> hosts =
        IntStream.range(0, nodes.count())
            .filter(i -> !relay || nodes.sites().get(i) == site)
            .mapToObj(i -> nodes.addresses().get(i) + "[7800]")
            .collect(Collectors.toList());
    Path own = Files.createDirectories(directory.resolve("jgroups-" + nodes.self()));
    channel = new JChannel(write(own, "cluster.xml", stack(hosts, 7800, relay ? relay(own, site) : "")));
    channel.setName("h" + nodes.self());
    channel.setDiscardOwnMessages(true);
    channel.setReceiver(
        new org.jgroups.Receiver() {
          @Override
          public void receive(Message message) {
            if (message.getArray()[message.getOffset()] == HELLO) {
              met.add((int) message.getArray()[message.getOffset() + 1]);
            } else {
              receiver.message(message.getArray(), message.getOffset() + 1, message.getLength() - 1);
            }
          }
        });
    channel.connect(relay ? "site" + site : "all");
  }

  private String relay(Path own, int site) throws IOException {
    List<String> bridgeHosts = // The first of a site that starts becomes its master.
        nodes.addresses().stream().map(address -> address + "[7900]").collect(Collectors.toList());
    Path bridge = own.resolve("bridge.xml");
    Files.writeString(bridge, stack(bridgeHosts, 7900, ""));
    StringBuilder sites = new StringBuilder("<RelayConfiguration xmlns=\"urn:jgroups:relay:1.0\"><sites>");
    for (int each : nodes.sites().stream().distinct().collect(Collectors.toList())) {
      sites
          .append("<site name=\"site").append(each).append("\"><bridges><bridge config=\"").append(bridge)
          .append("\" name=\"bridge\"/></bridges></site>");
    }
    Path config = own.resolve("relay.xml");
    Files.writeString(config, sites.append("</sites></RelayConfiguration>"));
    return "<relay.RELAY2 site=\"site" + site + "\" config=\"" + config + "\" relay_multicasts=\"true\""
        + " async_relay_creation=\"false\" max_site_masters=\"1\"/>";
  }

  private String stack(List<String> hosts, int port, String top) {
    return "<config xmlns=\"urn:org:jgroups\">"
        + "<TCP bind_addr=\"" + nodes.address() + "\" bind_port=\"" + port + "\" port_range=\"0\""
        + " recv_buf_size=\"16m\" send_buf_size=\"16m\" sock_conn_timeout=\"3s\"/>"
        + "<TCPPING initial_hosts=\"" + String.join(",", hosts) + "\" port_range=\"0\"/>"
        + "<MERGE3 min_interval=\"5s\" max_interval=\"15s\"/>"
        + "<FD_ALL3 timeout=\"60s\" interval=\"10s\"/>"
        + "<pbcast.NAKACK2 use_mcast_xmit=\"false\"/><UNICAST3/><pbcast.STABLE desired_avg_gossip=\"10s\" max_bytes=\"16m\"/>"
        + "<pbcast.GMS print_local_addr=\"false\" join_timeout=\"5s\" view_ack_collection_timeout=\"5s\"/>"
        + "<UFC max_credits=\"16m\"/><MFC max_credits=\"16m\"/><FRAG4 frag_size=\"60k\"/>"
        + top
        + "</config>";
  }

  private static String write(Path directory, String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  @Override
  public void awaitAll() throws Exception {
    for (int i = 0; i < 10 || met.size() < nodes.count() - 1; i++) {
      channel.send(new BytesMessage(null, new byte[] {HELLO, (byte) nodes.self()}));
      Thread.sleep(500);
    }
  }

  @Override
  public void broadcast(byte[] message, int count) throws Exception {
    byte[] data = new byte[message.length + 1];
    data[0] = DATA;
    System.arraycopy(message, 0, data, 1, message.length);
    for (int i = 0; i < count; i++) {
      channel.send(new BytesMessage(null, data));
    }
  }

  @Override
  public void broadcastLarge(byte[] payload) throws Exception {
    Messages.split(payload, LARGE_MESSAGE_BYTES, part -> broadcast(part, 1));
  }

  @Override
  public void close() {
    channel.close();
  }
}
