package io.treecast.collectives.operation.contract;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The type of the elements of a {@link Value.Vector}, which are packed in little-endian order. */
public enum ElementType {
  INT(Integer.BYTES, false),
  LONG(Long.BYTES, false),
  FLOAT(Float.BYTES, false),
  DOUBLE(Double.BYTES, false),
  /** An int, and the number of the member that gave it, an int. */
  INT_OF_MEMBER(Integer.BYTES, true),
  LONG_OF_MEMBER(Long.BYTES, true),
  FLOAT_OF_MEMBER(Float.BYTES, true),
  DOUBLE_OF_MEMBER(Double.BYTES, true);

  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle FLOATS =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final int numberBytes;
  private final boolean hasMember;

  ElementType(int numberBytes, boolean hasMember) {
    this.numberBytes = numberBytes;
    this.hasMember = hasMember;
  }

  /** Returns the size of the number in an element. */
  int numberBytes() {
    return numberBytes;
  }

  /** Returns whether each element names the member that gave it. */
  public boolean hasMember() {
    return hasMember;
  }

  /** Returns the size of an element. */
  public int elementBytes() {
    return numberBytes + (hasMember ? Integer.BYTES : 0);
  }

  /** Returns the type of the numbers, for people: for example {@code floats}. */
  public String described() {
    return switch (this) {
      case INT, INT_OF_MEMBER -> "ints";
      case LONG, LONG_OF_MEMBER -> "whole numbers";
      case FLOAT, FLOAT_OF_MEMBER -> "floats";
      case DOUBLE, DOUBLE_OF_MEMBER -> "doubles";
    };
  }
}
