package io.treecast.agent.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.transport.connection.ServiceRecords.Place;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Addresses from the answers of a DNS server, which runs in the test. */
@Timeout(120)
class ServiceRecordsTest {
  private static final String SERVICE = "_treecast._tcp.example.org";
  private static final int HEADER_BYTES = 12;
  private static final int NAME_ERROR = 3;
  private static final int SRV = 33;

  private DatagramSocket server;

  /** The server's answer. */
  private volatile List<Place> answer = List.of();

  private volatile boolean isSilent;

  @BeforeEach
  void serve() throws IOException {
    server = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread thread = new Thread(this::answerAll, "dns");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void end() {
    server.close();
  }

  private void answerAll() {
    try {
      while (true) {
        DatagramPacket question = new DatagramPacket(new byte[512], 512);
        server.receive(question);
        if (!isSilent) {
          byte[] bytes = response(Arrays.copyOf(question.getData(), question.getLength()));
          server.send(new DatagramPacket(bytes, bytes.length, question.getSocketAddress()));
        }
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  /** The question again, with the records behind it (RFC 1035, RFC 2782). */
  private byte[] response(byte[] question) throws IOException {
    int end = HEADER_BYTES;
    while (question[end] != 0) {
      end += question[end] + 1;
    }
    end += 5;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(question, 0, 2);
    out.writeShort(0x8180 | (answer.isEmpty() ? NAME_ERROR : 0));
    out.writeShort(1);
    out.writeShort(answer.size());
    out.writeInt(0);
    out.write(question, HEADER_BYTES, end - HEADER_BYTES);
    for (Place place : answer) {
      out.writeShort(0xc000 | HEADER_BYTES);
      out.writeShort(SRV);
      out.writeShort(1);
      out.writeInt(60);
      byte[] host = name(place.host());
      out.writeShort(6 + host.length);
      out.writeShort(place.priority());
      out.writeShort(1);
      out.writeShort(place.port());
      out.write(host);
    }
    return bytes.toByteArray();
  }

  private static byte[] name(String host) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String label : host.split("\\.", -1)) {
      bytes.write(label.length());
      bytes.write(label.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    bytes.write(0);
    return bytes.toByteArray();
  }

  private ServiceRecords records() {
    return ServiceRecords.by("127.0.0.1", server.getLocalPort());
  }

  @Test
  void records_are_places_in_the_order_of_their_priority() throws Exception {
    answer =
        List.of(
            new Place(20, "h3.example.org", 7701),
            new Place(10, "h2.example.org", 7700),
            new Place(10, "h1.example.org", 7700));

    assertThat(records().of(SERVICE))
        .containsExactly(
            new Place(10, "h1.example.org", 7700),
            new Place(10, "h2.example.org", 7700),
            new Place(20, "h3.example.org", 7701));
  }

  @Test
  void each_question_gets_the_records_of_its_time() throws Exception {
    answer = List.of(new Place(1, "h1.example.org", 7700));
    assertThat(records().of(SERVICE)).hasSize(1);
    answer = List.of(new Place(1, "h2.example.org", 7702));
    assertThat(records().of(SERVICE)).containsExactly(new Place(1, "h2.example.org", 7702));
  }

  @Test
  void a_service_without_records_is_not_known() {
    assertThatThrownBy(() -> records().of(SERVICE))
        .isInstanceOf(UnknownHostException.class)
        .hasMessageContaining(SERVICE);
  }

  @Test
  void a_server_that_is_silent_is_given_up() {
    isSilent = true;

    assertThatThrownBy(() -> records().of(SERVICE))
        .isInstanceOf(UnknownHostException.class)
        .hasMessageContaining(SERVICE);
  }
}
