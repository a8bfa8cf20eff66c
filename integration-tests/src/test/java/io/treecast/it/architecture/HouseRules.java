package io.treecast.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/** Rules for all of the source, whatever its layer. */
final class HouseRules {
  private static final Pattern NAME_THAT_SAYS_NOTHING =
      Pattern.compile(".*(Util|Impl|Manager|Helper|Common|Misc)s?");

  private HouseRules() {}

  /** Returns the rule against cycles, with each package as a slice. */
  static ArchRule packagesAreFreeOfCycles(String root) {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  static ArchRule classesAreNamedForWhatTheyAre() {
    return classes()
        .should(
            new ArchCondition<>("be named for what they are") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (NAME_THAT_SAYS_NOTHING.matcher(type.getSimpleName()).matches()) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getDescription() + " has a name that fits anything"));
                }
              }
            });
  }

  /** Returns the rule for all packages without generated code. */
  static ArchRule packagesAreNullMarked(String root) {
    return classes()
        .that()
        .resideOutsideOfPackage(root + ".proto..")
        .should(
            new ArchCondition<>("reside in packages with @NullMarked") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getDescription() + ": its package lacks @NullMarked"));
                }
              }
            });
  }
}
