package io.treecast.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FatalErrorsTest {
  private final List<String> ends = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(7);
  private final FatalErrors errors = new FatalErrors(ends::add, nanos::get);

  private final Logger told = (Logger) LoggerFactory.getLogger(FatalErrors.class);
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
  private final LoggerContext libraries = new LoggerContext();
  private final Logger library = libraries.getLogger("io.grpc.library");

  @BeforeEach
  void listen() {
    warnings.start();
    told.addAppender(warnings);
    told.setAdditive(false);
    libraries.addTurboFilter(errors);
    library.setLevel(Level.OFF);
  }

  @AfterEach
  void end() {
    told.detachAppender(warnings);
    told.setAdditive(true);
  }

  @Test
  void an_uncaught_error_ends_the_process_and_an_exception_does_not() {
    errors.uncaught(Thread.currentThread(), new IllegalStateException("thrown-by-a-test"));
    assertThat(ends).isEmpty();

    errors.uncaught(Thread.currentThread(), new AssertionError("thrown-by-a-test"));
    assertThat(ends).singleElement().asString().contains("thrown-by-a-test");
  }

  @Test
  void an_error_of_the_machine_that_a_library_only_logs_ends_the_process() {
    library.warn("it failed", new IOException("no", new IllegalStateException("no")));
    library.warn("it failed");
    assertThat(ends).isEmpty();

    Error noThread = new OutOfMemoryError("unable to create native thread");
    library.warn("it failed", new IllegalStateException(noThread));
    assertThat(ends).singleElement().asString().contains("unable to create native thread");
  }

  @Test
  void a_lack_of_file_descriptors_is_logged_once_a_minute_and_ends_nothing() {
    IOException wanting = new IOException("accept(..) failed: Too many open files");
    library.warn("it failed", wanting);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
    library.warn("it failed", wanting);
    assertThat(warnings.list).hasSize(1);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    library.warn("it failed", wanting);

    assertThat(warnings.list).hasSize(2).allMatch(event -> event.getLevel() == Level.WARN);
    assertThat(ends).isEmpty();
  }
}
