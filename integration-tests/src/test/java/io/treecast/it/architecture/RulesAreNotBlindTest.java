package io.treecast.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule reports exactly the classes of {@code sinful} that break it. */
class RulesAreNotBlindTest {
  private static final String ROOT = "io.treecast.it.architecture.sinful";
  private static final JavaClasses SINFUL = new ClassFileImporter().importPackages(ROOT);
  private static final List<String> IMPURE = violations(Purity.pureLayersOnlyCompute(ROOT));
  private static final List<String> AGAINST_THE_LAYERS = layerViolations();
  private static final List<String> BADLY_NAMED =
      violations(HouseRules.classesAreNamedForWhatTheyAre());

  @ParameterizedTest
  @MethodSource("impurities")
  void purity_reports(String impurity) {
    assertThat(IMPURE).anyMatch(v -> v.matches("(?s).*" + Pattern.quote(impurity) + "[.>].*"));
  }

  private static Stream<String> impurities() throws ClassNotFoundException {
    Class<?>[] nested = Class.forName(ROOT + ".monitor.Impurities").getDeclaredClasses();
    return Arrays.stream(nested).map(Class::getName).sorted();
  }

  @Test
  void purity_reports_only_them() {
    assertThat(IMPURE).allMatch(v -> v.contains(ROOT + ".monitor.Impurities$"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ghs.KnowsTheMonitor", "monitor.KnowsGhs", "client.KnowsPicocli"})
  void layers_report(String className) {
    assertThat(AGAINST_THE_LAYERS).anyMatch(v -> v.contains(ROOT + "." + className));
  }

  @Test
  void layers_do_not_report_what_knows_the_layer_below() {
    assertThat(AGAINST_THE_LAYERS).noneMatch(v -> v.contains("KnowsTheLayerBelow"));
  }

  @Test
  void a_class_outside_all_layers_is_reported() {
    assertThat(violations(Layers.everyClassBelongsToALayer(ROOT)))
        .filteredOn(v -> !v.contains("package-info"))
        .singleElement()
        .asString()
        .contains(ROOT + ".nowhere.Stray");
  }

  @Test
  void a_circle_of_packages_is_reported() {
    assertThat(violations(HouseRules.packagesAreFreeOfCycles(ROOT)))
        .singleElement()
        .asString()
        .contains("Slice ghs", "Slice monitor");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LinkUtil",
        "LinkUtils",
        "LinkImpl",
        "LinkManager",
        "LinkHelpers",
        "LinkCommon",
        "LinkMisc"
      })
  void the_rule_of_names_reports(String simpleName) {
    assertThat(BADLY_NAMED).anyMatch(v -> v.contains("BadNames$" + simpleName + ">"));
  }

  @Test
  void the_rule_of_names_reports_no_others() {
    assertThat(BADLY_NAMED).allMatch(v -> v.contains("BadNames$"));
  }

  @Test
  void a_package_without_null_marked_is_reported() {
    assertThat(violations(HouseRules.packagesAreNullMarked(ROOT)))
        .singleElement()
        .asString()
        .contains("SaysNothingOfNull");
  }

  private static List<String> layerViolations() {
    return Layers.dependenciesPointDown(ROOT).stream()
        .map(rule -> rule.allowEmptyShould(true))
        .flatMap(rule -> violations(rule).stream())
        .toList();
  }

  private static List<String> violations(ArchRule rule) {
    return rule.evaluate(SINFUL).getFailureReport().getDetails();
  }
}
