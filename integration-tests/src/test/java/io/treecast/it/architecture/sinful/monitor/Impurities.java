package io.treecast.it.architecture.sinful.monitor;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/** Purity: each nested class breaks the rule in another way. */
@SuppressWarnings({
  "BusyWait",
  "JavaTimeDefaultTimeZone",
  "JavaUtilDate",
  "NotifyAll",
  "SystemOut",
  "ThreadJoinLoop",
  "WaitNotInLoop"
})
final class Impurities {
  private Impurities() {}

  static final class ClockOfTheSystem {
    final long nanos = System.nanoTime();
  }

  static final class ClockInALambda {
    final LongSupplier now = System::currentTimeMillis;
  }

  static final class ClockOfJavaTime {
    final Clock clock = Clock.systemUTC();
  }

  static final class InstantNow {
    final Instant now = Instant.now();
  }

  static final class TimeOfDay {
    final LocalTime now = LocalTime.now();
  }

  static final class OldDate {
    final Date now = new Date();
  }

  static final class Dice {
    final Random random = new Random();
  }

  static final class SplittableDice {
    final SplittableRandom random = new SplittableRandom();
  }

  static final class ThreadLocalDice {
    final int number = ThreadLocalRandom.current().nextInt();
  }

  static final class SecureDice {
    final SecureRandom random = new SecureRandom();
  }

  static final class DiceByName {
    final RandomGenerator random = RandomGenerator.getDefault();
  }

  static final class DiceOfMath {
    final double number = Math.random();
  }

  static final class DiceByReference {
    final DoubleSupplier random = Math::random;
  }

  static final class RandomName {
    final UUID uuid = UUID.randomUUID();
  }

  static final class Shuffled {
    final List<Integer> list = new ArrayList<>(List.of(1, 2));

    Shuffled() {
      Collections.shuffle(list);
    }
  }

  static final class OwnThread {
    final Thread thread = new Thread(() -> {});
  }

  static final class Sleeps {
    void sleep() throws InterruptedException {
      TimeUnit.SECONDS.sleep(1);
    }
  }

  static final class GivesTasks {
    void give(Executor executor) {
      executor.execute(() -> {});
    }
  }

  static final class ThreadPool {
    final Object pool = Executors.newCachedThreadPool();
  }

  static final class Future {
    final CompletableFuture<String> future = new CompletableFuture<>();
  }

  static final class Alarm {
    final Timer timer = new Timer();
  }

  static final class Lock {
    final ReentrantLock lock = new ReentrantLock();
  }

  static final class Parks {
    void park() {
      LockSupport.park();
    }
  }

  static final class Monitor {
    synchronized int enter() {
      return 1;
    }
  }

  static final class WaitsOnAMonitor {
    void waitFor() throws InterruptedException {
      wait();
    }
  }

  static final class SharedMap {
    final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
  }

  static final class SharedCounter {
    final AtomicLong counter = new AtomicLong();
  }

  static final class HiddenThreadsOfAStream {
    final long count = List.of(1, 2).parallelStream().count();
  }

  static final class HiddenThreadsOfASort {
    void sort(int[] numbers) {
      Arrays.parallelSort(numbers);
    }
  }

  static final class ReachesAnyMethod {
    final Object lookup = MethodHandles.lookup();
  }

  static final class OrdersMemory {
    void fence() {
      VarHandle.fullFence();
    }
  }

  static final class OpensASocket {
    void open() throws IOException {
      new Socket().close();
    }
  }

  static final class OpensAChannel {
    void open() throws IOException {
      SocketChannel.open().close();
    }
  }

  static final class ReadsAFile {
    String read(Path path) throws IOException {
      return Files.readString(path);
    }
  }

  static final class NamesAFile {
    final File file = new File("log");
  }

  static final class ReadsTheEnvironment {
    final String home = System.getProperty("user.home", "");
  }

  static final class AsksTheMachine {
    final int cores = Runtime.getRuntime().availableProcessors();
  }

  static final class PrintsToTheConsole {
    void print() {
      System.out.println("measured");
    }
  }

  static final class PrintsAStackTrace {
    void print(RuntimeException failure) {
      failure.printStackTrace();
    }
  }

  static final class LogsBySlf4j {
    final org.slf4j.Logger log = LoggerFactory.getLogger("monitor");
  }

  static final class LogsByTheJdk {
    final Logger log = Logger.getLogger("monitor");
  }

  static final class LogsBySystem {
    void log(System.Logger log) {
      log.log(System.Logger.Level.INFO, "measured");
    }
  }

  static final class SpeaksProtobuf {
    final ByteString bytes = ByteString.EMPTY;
  }

  static final class SpeaksGrpc {
    Status refuse() {
      return Status.ABORTED;
    }
  }
}
