import java.util.List;

/** One node of a system under measurement, in its namespace: sends to all other nodes, and reports what it receives. */
interface Member extends AutoCloseable {
  /** The nodes of the network, by index. */
  record Nodes(int self, List<String> addresses, List<Integer> sites) {
    int count() {
      return addresses.size();
    }

    String address() {
      return addresses.get(self);
    }
  }

  /** Takes what a member receives, in any thread. Each run of broadcasts begins its messages with {@link Header}. */
  interface Receiver {
    /** A whole message, or the first part of one. */
    void message(byte[] bytes, int offset, int length);

    /** A further part of the message that came last. */
    void more(int length);
  }

  /** Returns when all members can send to each other. */
  void awaitAll() throws Exception;

  /** Sends messages; waits while the system has no room for more. */
  void broadcast(byte[] message, int count) throws Exception;

  /** Sends one large payload, as an application of this system would. */
  void broadcastLarge(byte[] payload) throws Exception;

  /** Adds up a vector over all members, and returns when this member has the result. */
  default void allReduce(int run, float[] vector) throws Exception {
    throw new UnsupportedOperationException("no reduction");
  }

  @Override
  void close() throws Exception;
}
