package io.treecast.agent.core;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.PeerCodec;
import java.io.ByteArrayOutputStream;
import java.util.stream.Stream;

/**
 * Writes what {@link Attack} reads: the situation in which it begins, then steps. A step is one
 * byte that says what to do, then its argument.
 */
final class AttackScript {
  /** An action of the attacker. The byte of a step is a code, modulo the number of codes. */
  enum Step {
    /** Sends a frame on the control stream: two bytes of length, then the frame. */
    CONTROL(0),
    /** Sends a frame on the data stream, likewise. */
    DATA(1),
    /** Lets time pass: one byte, see {@link #MILLIS_PER_TICK}. */
    WAIT(2),
    /** Lets as many seconds pass. */
    WAIT_LONG(3),
    /** Opens another control stream, for the next frames. */
    DIAL_CONTROL(4),
    /** Opens another data stream. */
    DIAL_DATA(5),
    /** Ends the control stream. */
    CLOSE_CONTROL(6),
    /** Ends the data stream. */
    CLOSE_DATA(7),
    /** The attacked agent publishes: one byte, the length of the payload. */
    PUBLISH(8),
    /** The subscriber of the attacked agent stalls, or goes on. */
    STALL(9);

    /** Stands for it in a script; never changes, since scripts are kept. */
    final int code;

    Step(int code) {
      this.code = code;
    }

    static Step of(int code) {
      return Stream.of(values())
          .filter(step -> step.code == code % values().length)
          .findFirst()
          .orElseThrow();
    }
  }

  static final int MILLIS_PER_TICK = 4;
  private static final int MAX_BYTE = 255;
  private static final int MILLIS_PER_SECOND = 1_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private PeerCodec codec = new PeerCodec();

  AttackScript(Attack.Stage stage, boolean attackerOwnsLink) {
    bytes.write(2 * stage.code + (attackerOwnsLink ? 1 : 0));
  }

  AttackScript control(PeerMessage message) {
    return frame(Step.CONTROL, codec.encode(message).toByteArray());
  }

  AttackScript data(DataMessage message) {
    return frame(Step.DATA, DataCodec.encode(message).toByteArray());
  }

  private AttackScript frame(Step step, byte[] frame) {
    bytes.write(step.code);
    bytes.write(frame.length >> Byte.SIZE);
    bytes.write(frame.length);
    bytes.writeBytes(frame);
    return this;
  }

  AttackScript waitMillis(long millis) {
    long left = millis;
    for (; left >= MILLIS_PER_SECOND; left -= left / MILLIS_PER_SECOND * MILLIS_PER_SECOND) {
      step(Step.WAIT_LONG, (int) Math.min(MAX_BYTE, left / MILLIS_PER_SECOND));
    }
    return left < MILLIS_PER_TICK ? this : step(Step.WAIT, (int) (left / MILLIS_PER_TICK));
  }

  AttackScript dialControl() {
    codec = new PeerCodec();
    return step(Step.DIAL_CONTROL);
  }

  AttackScript step(Step step, int... argument) {
    bytes.write(step.code);
    for (int part : argument) {
      bytes.write(part);
    }
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
