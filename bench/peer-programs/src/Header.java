import java.nio.ByteBuffer;

/** The first bytes of a message: the run that it belongs to, and the bytes of all messages of that run. */
record Header(int run, long runBytes) {
  static final int BYTES = Integer.BYTES + Long.BYTES;

  static Header read(byte[] bytes, int offset) {
    ByteBuffer header = ByteBuffer.wrap(bytes, offset, BYTES);
    return new Header(header.getInt(), header.getLong());
  }

  void write(byte[] message) {
    ByteBuffer.wrap(message).putInt(run).putLong(runBytes);
  }
}
