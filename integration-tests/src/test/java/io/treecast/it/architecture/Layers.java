package io.treecast.it.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * The layers of Treecast and their allowed dependencies: other layers, always below, and libraries.
 * Unlisted ones are forbidden.
 *
 * <p>Packages are given below a root, so that the rules can be tried on a small world that breaks
 * them.
 */
final class Layers {
  private static final List<String> EVERYWHERE = List.of("java..", "org.jspecify.annotations");
  private static final List<String> GRPC = List.of("com.google.protobuf..", "io.grpc..");

  /** Generated code, in a module that depends on no other. */
  private static final String GENERATED = "proto";

  /** A layer may know the layers that stand before it in this list, if it names them. */
  private static final List<Layer> ALL =
      List.of(
          layer("oracle").using("org.jgrapht.."),
          layer("ghs"),
          layer("mst").on("ghs"),
          layer("monitor"),
          layer("collectives").on("ghs", "mst"),
          layer(GENERATED),
          layer("tls").using(GRPC).using("javax.net.ssl", "javax.security.auth.x500"),
          layer("client")
              .on("proto", "tls")
              .using(GRPC)
              // Only what binds meters and traces messages; applications may do without.
              .using("io.micrometer.core.instrument..", "io.opentelemetry.."),
          layer("jobs.schedule"),
          layer("jobs").on("client").using("io.micrometer.core.instrument.."),
          layer("agent.core").on("ghs", "mst", "monitor", "collectives"),
          layer("agent.permission").on("proto", "tls").using(GRPC).using("javax.net.ssl"),
          layer("agent.config")
              .on("ghs", "monitor", "collectives", "agent.core", "agent.permission")
              .using("tools.jackson.."),
          layer("agent.wire")
              .on("ghs", "mst", "collectives", "proto", "agent.core")
              .using("com.google.protobuf.."),
          layer("agent.transport")
              .on("ghs", "collectives", "proto", "tls")
              .on("agent.core", "agent.config", "agent.wire")
              .using(GRPC)
              // SRV records of seeds are asked for by JNDI.
              .using("javax.naming..", "javax.net.ssl", "org.slf4j"),
          layer("agent.runtime")
              // A program with an agent inside gets its client from the agent.
              .on("ghs", "mst", "monitor", "collectives", "proto", "tls", "client")
              .on("agent.core", "agent.permission", "agent.config", "agent.wire")
              .on("agent.transport")
              .using(GRPC)
              .using("io.micrometer..", "javax.net.ssl", "org.slf4j", "tools.jackson.."),
          layer("testkit.network"),
          layer("testkit.cluster")
              .on("oracle", "ghs", "mst", "collectives", "agent.core", "testkit.network"),
          layer("testkit.sim")
              .on("oracle", "ghs", "mst", "monitor", "collectives", "agent.core", "agent.wire")
              .on("proto", "testkit.network", "testkit.cluster")
              .using("com.google.protobuf"),
          layer("testkit.trace")
              .on("oracle", "ghs", "mst", "monitor", "collectives", "agent.core")
              .on("testkit.network", "testkit.cluster", "testkit.sim"),
          layer("testkit.local")
              .on("ghs", "mst", "monitor", "collectives", "client")
              .on("agent.core", "agent.config", "agent.transport", "agent.runtime")
              .on("testkit.network", "testkit.cluster")
              .using("io.micrometer.."),
          layer("testkit.schedule")
              .on("monitor", "collectives", "agent.config")
              .on("testkit.network", "testkit.cluster"),
          layer("testkit.run")
              .on("ghs", "mst", "collectives", "agent.core")
              .on("testkit.network", "testkit.cluster", "testkit.schedule"),
          layer("testkit.compare").on("oracle", "ghs", "testkit.network"),
          layer("testkit.reproduce")
              .on("ghs", "mst", "monitor", "agent.core")
              .on("testkit.network", "testkit.cluster", "testkit.sim", "testkit.schedule")
              .on("testkit.run", "testkit.compare"),
          layer("testkit.junit")
              .on("agent.config", "testkit.network", "testkit.cluster", "testkit.sim")
              .on("testkit.local", "testkit.schedule", "testkit.run")
              .using("org.junit.jupiter.api..", "org.assertj.core.api", "org.opentest4j"),
          layer("cli")
              .on(
                  "oracle",
                  "ghs",
                  "mst",
                  "monitor",
                  "collectives",
                  "proto",
                  "tls",
                  "client",
                  "jobs")
              .on("agent.core", "agent.permission", "agent.config", "agent.wire", "agent.runtime")
              .on("testkit.network", "testkit.cluster", "testkit.sim", "testkit.local")
              .on("testkit.schedule", "testkit.run", "testkit.compare", "testkit.reproduce")
              .on("testkit.trace")
              .using(GRPC)
              .using("ch.qos.logback..", "org.slf4j..", "picocli", "tools.jackson..")
              // Benchmarks count the CPU time of the process.
              .using("com.sun.management"));

  /** The pure layers: see {@link Purity}. */
  private static final List<String> PURE =
      List.of("ghs", "mst", "monitor", "collectives", "jobs.schedule", "agent.core");

  private Layers() {}

  /** Leaves out generated classes, which are almost half of the bytes of all. */
  static boolean isWritten(Location classes) {
    return !classes.contains("/io/treecast/" + GENERATED + "/");
  }

  /** Returns the packages of the pure layers. */
  static String[] purePackages(String root) {
    return PURE.stream().map(name -> root + "." + name + "..").toArray(String[]::new);
  }

  /** For each layer: it knows what it may, and nothing else. */
  static List<ArchRule> dependenciesPointDown(String root) {
    checkOrder();
    return ALL.stream()
        .filter(layer -> !layer.name().equals(GENERATED))
        .map(layer -> layer.rule(root))
        .toList();
  }

  /** No package escapes the rules by being new. */
  static ArchRule everyClassBelongsToALayer(String root) {
    String[] packages = ALL.stream().map(layer -> layer.packages(root)).toArray(String[]::new);
    return classes()
        .should()
        .resideInAnyPackage(packages)
        .as("every class belongs to a layer")
        .because("a new package must be given its place among the layers");
  }

  private static void checkOrder() {
    List<String> below = new ArrayList<>();
    for (Layer layer : ALL) {
      if (!below.containsAll(layer.layers())) {
        throw new IllegalStateException(layer.name() + " must stand after " + layer.layers());
      }
      below.add(layer.name());
    }
  }

  private static Layer layer(String name) {
    return new Layer(name, List.of(), List.of());
  }

  private record Layer(String name, List<String> layers, List<String> libraries) {

    Layer on(String... moreLayers) {
      return new Layer(name, joined(layers, List.of(moreLayers)), libraries);
    }

    Layer using(String... moreLibraries) {
      return using(List.of(moreLibraries));
    }

    Layer using(List<String> moreLibraries) {
      return new Layer(name, layers, joined(libraries, moreLibraries));
    }

    String packages(String root) {
      return root + "." + name + "..";
    }

    ArchRule rule(String root) {
      List<String> allowed = joined(EVERYWHERE, libraries);
      allowed.add(packages(root));
      layers.forEach(layer -> allowed.add(root + "." + layer + ".."));
      return classes()
          .that()
          .resideInAPackage(packages(root))
          .should(onlyDependOnClassesThat(arePlainOrResideIn(allowed)))
          .as(name + " knows only " + layers + " and " + libraries);
    }

    private static DescribedPredicate<JavaClass> arePlainOrResideIn(List<String> packages) {
      // Once a layer: each predicate compiles a pattern for every package.
      DescribedPredicate<JavaClass> resides = resideInAnyPackage(packages.toArray(String[]::new));
      return DescribedPredicate.describe(
          "are primitive or reside in " + packages,
          type ->
              type.getBaseComponentType().isPrimitive()
                  || resides.test(type.getBaseComponentType()));
    }

    private static List<String> joined(List<String> some, List<String> more) {
      List<String> all = new ArrayList<>(some);
      all.addAll(more);
      return all;
    }
  }
}
