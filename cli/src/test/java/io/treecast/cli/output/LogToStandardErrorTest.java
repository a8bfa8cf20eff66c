package io.treecast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.core.ConsoleAppender;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;

@Isolated("It sets a property that any first line of the log reads.")
class LogToStandardErrorTest {
  private final LoggerContext context = new LoggerContext();

  @Test
  void the_log_goes_to_standard_error_and_libraries_are_quiet() {
    assertThat(new LogToStandardError().configure(context))
        .isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);

    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    assertThat(root.getLevel()).isEqualTo(Level.INFO);
    assertThat(root.getAppender("STDERR"))
        .isInstanceOfSatisfying(
            ConsoleAppender.class,
            appender -> assertThat(appender.getTarget()).isEqualTo("System.err"));
    assertThat(context.getLogger("io.grpc").isWarnEnabled()).isFalse();
    assertThat(context.getLogger("io.treecast.client").isErrorEnabled()).isFalse();
  }

  @Test
  void a_file_that_the_user_names_comes_first() {
    System.setProperty("logback.configurationFile", "own.xml");
    try {
      assertThat(new LogToStandardError().configure(context))
          .isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
    } finally {
      System.clearProperty("logback.configurationFile");
    }
  }

  @Test
  void logback_finds_it() {
    assertThat(ServiceLoader.load(Configurator.class))
        .anyMatch(LogToStandardError.class::isInstance);
  }
}
