package io.treecast.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The protocol layers receive events and time as arguments and return effects, so that one seed
 * determines a whole run. They neither wait nor start threads, and use no clock, random source,
 * file, socket, logger or message format.
 *
 * <p>The rule lists the allowed classes, since a list of all forbidden ones could not be complete.
 */
final class Purity {
  private static final Set<String> ALLOWED_PACKAGES =
      Set.of("java.util", "java.util.function", "java.util.stream", "org.jspecify.annotations");

  /** Forbidden classes of the allowed packages. */
  private static final Set<String> FORBIDDEN_CLASSES =
      Set.of(
          "java.util.Calendar",
          "java.util.Date",
          "java.util.Formatter",
          "java.util.GregorianCalendar",
          "java.util.Properties",
          "java.util.Random",
          "java.util.ResourceBundle",
          "java.util.Scanner",
          "java.util.ServiceLoader",
          "java.util.SplittableRandom",
          "java.util.TimeZone",
          "java.util.Timer",
          "java.util.TimerTask",
          "java.util.UUID");

  /** Allowed classes of other packages, beside all exceptions of java.lang. */
  private static final Set<String> ALLOWED_CLASSES =
      Set.of(
          "java.lang.ArithmeticException",
          "java.lang.AutoCloseable",
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.CharSequence",
          "java.lang.Character",
          "java.lang.Class",
          "java.lang.Comparable",
          "java.lang.Deprecated",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.FunctionalInterface",
          "java.lang.Integer",
          "java.lang.Iterable",
          "java.lang.Long",
          "java.lang.Math",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Override",
          "java.lang.Record",
          "java.lang.Runnable",
          "java.lang.SafeVarargs",
          "java.lang.Short",
          "java.lang.String",
          "java.lang.StringBuilder",
          "java.lang.SuppressWarnings",
          "java.lang.Void",
          "java.lang.annotation.Documented",
          "java.lang.annotation.ElementType",
          "java.lang.annotation.Retention",
          "java.lang.annotation.RetentionPolicy",
          "java.lang.annotation.Target",
          // For views of byte arrays: see ALLOWED_METHODS.
          "java.lang.invoke.MethodHandles",
          "java.lang.invoke.VarHandle",
          "java.nio.ByteBuffer",
          "java.nio.ByteOrder",
          "java.nio.charset.Charset",
          "java.nio.charset.StandardCharsets",
          "java.time.Duration",
          "java.util.concurrent.TimeUnit",
          "java.util.zip.CRC32C");

  /** Forbidden methods by the simple name of their class, with any arguments. */
  private static final Set<String> FORBIDDEN_METHODS =
      Set.of(
          "Class.forName",
          "Class.getResource",
          "Class.getResourceAsStream",
          "Collections.shuffle",
          "Math.random",
          "TimeUnit.sleep",
          "TimeUnit.timedJoin",
          "TimeUnit.timedWait");

  /** The only allowed methods of some allowed classes, by the simple name of the class. */
  private static final Map<String, Set<String>> ALLOWED_METHODS =
      Map.of("MethodHandles", Set.of("byteArrayViewVarHandle"), "VarHandle", Set.of("get", "set"));

  /** Methods of any class that wait or start threads. */
  private static final Set<String> FORBIDDEN_METHOD_NAMES =
      Set.of(
          "notify",
          "notifyAll",
          "parallel",
          "parallelPrefix",
          "parallelSetAll",
          "parallelSort",
          "parallelStream",
          "printStackTrace",
          "wait");

  private Purity() {}

  static ArchRule pureLayersOnlyCompute(String root) {
    return classes()
        .that()
        .resideInAnyPackage(Layers.purePackages(root))
        .should(onlyCompute(root))
        .as("pure layers only compute")
        .because(
            "one seed must determine a whole run; what else is harmless is to be allowed in "
                + Purity.class.getSimpleName());
  }

  private static ArchCondition<JavaClass> onlyCompute(String root) {
    return new ArchCondition<>("only compute") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          if (!isHarmless(dependency.getTargetClass().getBaseComponentType(), root)) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
        List<JavaCodeUnitAccess<?>> calls = new ArrayList<>(type.getMethodCallsFromSelf());
        calls.addAll(type.getMethodReferencesFromSelf());
        for (JavaCodeUnitAccess<?> call : calls) {
          String name = call.getTarget().getName();
          String owner = call.getTargetOwner().getSimpleName();
          if (FORBIDDEN_METHOD_NAMES.contains(name)
              || FORBIDDEN_METHODS.contains(owner + "." + name)
              || !ALLOWED_METHODS.getOrDefault(owner, Set.of(name)).contains(name)) {
            events.add(SimpleConditionEvent.violated(type, call.getDescription()));
          }
        }
        for (JavaCodeUnit code : type.getCodeUnits()) {
          if (code.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
            events.add(
                SimpleConditionEvent.violated(type, code.getDescription() + " is synchronized"));
          }
        }
      }
    };
  }

  /** Returns whether a class is allowed. The layers of Treecast are checked by {@link Layers}. */
  private static boolean isHarmless(JavaClass target, String root) {
    String name = target.getName();
    return target.isPrimitive()
        || name.startsWith(root + ".")
        || ALLOWED_CLASSES.contains(name)
        || (ALLOWED_PACKAGES.contains(target.getPackageName()) && !FORBIDDEN_CLASSES.contains(name))
        || (target.getPackageName().equals("java.lang") && target.isAssignableTo(Throwable.class));
  }
}
