package io.treecast.ghs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Loads a package anew, product and tests, with changes of the product's source. So the product
 * needs no seams for mutants, and a mutant reads as the change that it is.
 */
public final class MutatedClasses extends ClassLoader {
  private final String packagePrefix;
  private final Map<String, byte[]> mutated;

  private MutatedClasses(Class<?> member, Map<String, byte[]> mutated) {
    super(member.getClassLoader());
    this.packagePrefix = member.getPackageName() + ".";
    this.mutated = mutated;
  }

  /**
   * A change of a class.
   *
   * @param simpleName the class
   * @param original what to replace; must occur once in its source without comments. White space
   *     does not count, so a formatter may break its lines anywhere
   */
  public record Change(String simpleName, String original, String replacement) {
    /** The source of the class with this change. */
    private String apply(String source) {
      int[] places =
          IntStream.range(0, source.length())
              .filter(i -> !Character.isWhitespace(source.charAt(i)))
              .toArray();
      String dense = dense(source);
      String sought = dense(original);
      int at = dense.indexOf(sought);
      if (at < 0 || dense.indexOf(sought, at + 1) >= 0) {
        throw new IllegalArgumentException(
            simpleName + " must have this once; adapt the mutant to its present text: " + original);
      }
      return source.substring(0, places[at])
          + replacement
          + source.substring(places[at + sought.length() - 1] + 1);
    }

    private static String dense(String text) {
      return text.replaceAll("\\s", "");
    }
  }

  /**
   * A package with these changes, of different classes.
   *
   * @param member any class of the package
   * @throws IllegalArgumentException if an original text is not there, or a mutant does not compile
   */
  public static MutatedClasses with(Class<?> member, Change... changes) {
    Map<String, byte[]> mutated = new HashMap<>();
    for (Change change : changes) {
      String source = change.apply(readWithoutLayout(member, change.simpleName()));
      mutated.putAll(compile(change.simpleName(), source));
    }
    return new MutatedClasses(member, mutated);
  }

  private static String readWithoutLayout(Class<?> member, String simpleName) {
    String source;
    try {
      source = Files.readString(sourceOf(member.getPackageName().replace('.', '/'), simpleName));
    } catch (IOException e) {
      throw new UncheckedIOException("run this test in the directory of its module", e);
    }
    return source
        .replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("(?m)(^|\\s)//.*$", "")
        .replaceAll("\\s+", " ");
  }

  private static Path sourceOf(String folder, String simpleName) {
    Path product = Path.of("src", "main", "java", folder, simpleName + ".java");
    return Files.exists(product)
        ? product
        : Path.of("src", "test", "java", folder, simpleName + ".java");
  }

  private static Map<String, byte[]> compile(String simpleName, String code) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> compiled = new HashMap<>();
    JavaFileObject input =
        new SimpleJavaFileObject(
            URI.create("string:///" + simpleName + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
          }
        };
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    JavaFileManager intoMemory =
        new ForwardingJavaFileManager<>(files) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
              @Override
              public OutputStream openOutputStream() {
                return compiled.computeIfAbsent(className, name -> new ByteArrayOutputStream());
              }
            };
          }
        };
    List<String> options =
        List.of("-classpath", System.getProperty("java.class.path", ""), "-proc:none", "-nowarn");
    if (!compiler.getTask(null, intoMemory, null, options, null, List.of(input)).call()) {
      throw new IllegalArgumentException("this mutant does not compile: " + code);
    }
    Map<String, byte[]> classes = new HashMap<>();
    compiled.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(packagePrefix)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = mutated.get(name);
    if (bytes == null) {
      String file = name.replace('.', '/') + ".class";
      try (InputStream original = getParent().getResourceAsStream(file)) {
        if (original == null) {
          throw new ClassNotFoundException(name);
        }
        bytes = original.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
