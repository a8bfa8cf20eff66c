package io.treecast.cli.output;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures the log on standard error, so that the output of commands can be piped. A
 * configuration file would cost a tenth of the time of a short command. Stateless.
 */
public final class LogToStandardError extends ContextAwareBase implements Configurator {
  private static final String LEVEL_VARIABLE = "TREECAST_LOG_LEVEL";

  /** Pattern letters of an offset with a colon, such as +01:00. */
  private static final String OFFSET = "X".repeat(3);

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS" + OFFSET + "} %-5level %msg%n%ex{short}");
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("STDERR");
    appender.setTarget(ConsoleTarget.SystemErr.getName());
    appender.setEncoder(encoder);
    appender.start();
    // Agents and commands report failed connections themselves.
    context.getLogger("io.grpc").setLevel(Level.ERROR);
    // Commands report failed subscriptions themselves.
    context.getLogger("io.treecast.client").setLevel(Level.OFF);
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getenv(LEVEL_VARIABLE), Level.INFO));
    root.addAppender(appender);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
