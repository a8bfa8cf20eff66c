import java.util.Arrays;

/** Payloads as messages of a bounded size. */
final class Messages {
  interface Sender {
    void send(byte[] message) throws Exception;
  }

  /** Sends a payload as messages that each begin with its header. The payload's header counts the bytes of all. */
  static void split(byte[] payload, int messageBytes, Sender sender) throws Exception {
    Header header = Header.read(payload, 0);
    for (int from = 0; from < payload.length; from += messageBytes) {
      byte[] message = Arrays.copyOfRange(payload, from, Math.min(payload.length, from + messageBytes));
      header.write(message);
      sender.send(message);
    }
  }

  private Messages() {}
}
