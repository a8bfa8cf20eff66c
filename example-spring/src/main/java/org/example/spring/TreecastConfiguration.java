package org.example.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastMetrics;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The client of a program, its meters and health, and its listeners. Copy it into a project. */
@Configuration(proxyBeanMethods = false)
public class TreecastConfiguration {
  @Bean
  Treecast treecast(@Value("${treecast.agent:127.0.0.1:7700}") String agent) {
    return Treecast.builder(agent).connect(); // Spring closes it.
  }

  @Bean
  MeterBinder treecastMeters(Treecast treecast) {
    return new TreecastMetrics(treecast);
  }

  @Bean
  HealthIndicator treecastHealth(Treecast treecast) {
    return new TreecastHealth(treecast);
  }

  @Bean
  TreecastListeners treecastListeners(ListableBeanFactory beans, Treecast treecast) {
    return new TreecastListeners(beans, treecast);
  }
}
