package org.example.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that receives the messages of a topic: its only parameter is a {@code Message}
 * of the client library, or a {@code String}. It is called for one message at a time. An exception
 * ends the subscription.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface TreecastListener {
  /** Returns the topic; empty for the default topic. */
  String value() default "";
}
