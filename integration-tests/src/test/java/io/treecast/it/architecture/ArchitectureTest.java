package io.treecast.it.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The product follows the rules. {@link RulesAreNotBlindTest} shows that they can fail. */
class ArchitectureTest {
  private static final String ROOT = "io.treecast";
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static List<ArchRule> layers() {
    return Layers.dependenciesPointDown(ROOT);
  }

  @ParameterizedTest
  @MethodSource("layers")
  void eachLayerKnowsOnlyWhatIsBelowIt(ArchRule rule) {
    rule.check(PRODUCT);
  }

  @Test
  void everyClassBelongsToALayer() {
    Layers.everyClassBelongsToALayer(ROOT).check(PRODUCT);
  }

  @Test
  void pureLayersOnlyCompute() {
    Purity.pureLayersOnlyCompute(ROOT).check(PRODUCT);
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() {
    HouseRules.packagesAreFreeOfCycles(ROOT).check(PRODUCT);
  }

  @Test
  void classesAreNamedForWhatTheyAre() {
    HouseRules.classesAreNamedForWhatTheyAre().check(PRODUCT);
  }

  @Test
  void nullIsMarkedInEveryPackage() {
    HouseRules.packagesAreNullMarked(ROOT).check(PRODUCT);
  }
}
