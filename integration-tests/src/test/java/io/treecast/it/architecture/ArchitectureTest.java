package io.treecast.it.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The product follows the rules. {@link RulesAreNotBlindTest} shows that they can fail. */
@Order(2)
class ArchitectureTest {
  private static final String ROOT = "io.treecast";
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(Layers::isWritten)
          .importPackages(ROOT);

  private static List<ArchRule> layers() {
    return Layers.dependenciesPointDown(ROOT);
  }

  @ParameterizedTest
  @MethodSource("layers")
  void each_layer_knows_only_what_is_below_it(ArchRule rule) {
    rule.check(PRODUCT);
  }

  @Test
  void every_class_belongs_to_a_layer() {
    Layers.everyClassBelongsToALayer(ROOT).check(PRODUCT);
  }

  @Test
  void pure_layers_only_compute() {
    Purity.pureLayersOnlyCompute(ROOT).check(PRODUCT);
  }

  @Test
  void no_packages_depend_on_each_other_in_a_circle() {
    HouseRules.packagesAreFreeOfCycles(ROOT).check(PRODUCT);
  }

  @Test
  void classes_are_named_for_what_they_are() {
    HouseRules.classesAreNamedForWhatTheyAre().check(PRODUCT);
  }

  @Test
  void null_is_marked_in_every_package() {
    HouseRules.packagesAreNullMarked(ROOT).check(PRODUCT);
  }
}
