package org.example.prices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A user's project gets the libraries that Treecast is built and tested with: the versions that
 * Treecast's parent manages, which this project does not see.
 */
class ResolvedVersionsTest {
  private static final Path PARENT = Path.of("..", "pom.xml");

  /** Where a local repository has a library, from its root on: group, artifact, version, jar. */
  private static final Pattern JAR = Pattern.compile("(.+)/([^/]+)/([^/]+)/\\2-\\3[^/]*\\.jar");

  /** A line of the parent's dependencyManagement. */
  private record Managed(String group, String artifact, String version, boolean isBom) {
    /** Whether it decides the version of that artifact; a BOM does of all of its group. */
    boolean covers(String directory, String name) {
      String path = "/" + group.replace('.', '/');
      return isBom
          ? (directory + "/").contains(path + "/")
          : directory.endsWith(path) && name.equals(artifact);
    }
  }

  @Test
  void libraries_are_those_that_treecast_is_built_with() throws Exception {
    List<Managed> managed = managed();
    Map<String, String> resolved = new LinkedHashMap<>();
    Map<String, String> expected = new LinkedHashMap<>();

    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Matcher jar = JAR.matcher(entry.replace(File.separatorChar, '/'));
      if (jar.matches()) {
        managed.stream()
            .filter(line -> line.covers(jar.group(1), jar.group(2)))
            .forEach(
                line -> {
                  resolved.put(jar.group(2), jar.group(3));
                  expected.put(jar.group(2), line.version());
                });
      }
    }

    assertThat(resolved)
        .containsKeys("guava", "gson", "protobuf-java-util", "grpc-core", "junit-jupiter-api")
        .isEqualTo(expected);
  }

  private static List<Managed> managed() throws Exception {
    Document pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(PARENT.toFile());
    Element properties = (Element) pom.getElementsByTagName("properties").item(0);
    Element management = (Element) pom.getElementsByTagName("dependencyManagement").item(0);
    NodeList lines = management.getElementsByTagName("dependency");
    List<Managed> managed = new ArrayList<>();
    for (int i = 0; i < lines.getLength(); i++) {
      Element line = (Element) lines.item(i);
      String version = text(line, "version");
      if (version.startsWith("${") && !version.equals("${project.version}")) {
        version = text(properties, version.substring(2, version.length() - 1));
      }
      managed.add(
          new Managed(
              text(line, "groupId"),
              text(line, "artifactId"),
              version,
              line.getElementsByTagName("scope").getLength() > 0));
    }
    return managed;
  }

  private static String text(Element parent, String name) {
    return parent.getElementsByTagName(name).item(0).getTextContent().strip();
  }
}
