package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PublicApiTest {

  @Test
  void no_public_signature_has_a_type_of_grpc_or_protobuf() throws Exception {
    List<Class<?>> types = publicTypes();
    assertThat(types).contains(Treecast.class, Message.class, TreeView.class);

    assertThat(types.stream().flatMap(PublicApiTest::signatures))
        .isNotEmpty()
        .noneMatch(
            text ->
                text.contains("io.grpc")
                    || text.contains("com.google.protobuf")
                    || text.contains("io.treecast.proto"));
  }

  private static Stream<String> signatures(Class<?> type) {
    Stream<String> methods =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> isVisible(method.getModifiers()))
            .map(Method::toGenericString);
    Stream<String> constructors =
        Arrays.stream(type.getDeclaredConstructors())
            .filter(constructor -> isVisible(constructor.getModifiers()))
            .map(Constructor::toGenericString);
    return Stream.concat(methods, constructors);
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static List<Class<?>> publicTypes() throws Exception {
    Path classes =
        Path.of(Treecast.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("io/treecast/client");
    try (Stream<Path> files = Files.list(classes)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".class") && !name.startsWith("package-info"))
          .<Class<?>>map(name -> load(name.substring(0, name.length() - ".class".length())))
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .toList();
    } catch (IOException e) {
      throw new AssertionError("cannot list " + classes, e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName("io.treecast.client." + name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
