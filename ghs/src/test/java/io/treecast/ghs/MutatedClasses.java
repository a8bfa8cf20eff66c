package io.treecast.ghs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Loads packages a second time, product and tests, with changes to the product's source. So the
 * product needs no seams for mutants, and a mutant reads as the change that it is.
 */
public final class MutatedClasses extends ClassLoader {
  private final List<SourcePackage> packages;
  private final Map<String, byte[]> mutated;

  private MutatedClasses(List<SourcePackage> packages, Map<String, byte[]> mutated) {
    super(packages.get(0).member().getClassLoader());
    this.packages = packages;
    this.mutated = mutated;
  }

  /**
   * A package with those below it, and where its sources are.
   *
   * @param member any class of the package
   * @param module the directory of its module, as seen from the module that is tested
   */
  public record SourcePackage(Class<?> member, Path module) {
    private boolean contains(String className) {
      return className.startsWith(member.getPackageName() + ".");
    }

    /** The source of a class, of the product or of its tests; null if there is no such class. */
    private @Nullable Path sourceOf(String simpleName) {
      return Stream.of("main", "test")
          .map(
              tree ->
                  module
                      .resolve(Path.of("src", tree, "java"))
                      .resolve(member.getPackageName().replace('.', '/')))
          .filter(Files::isDirectory)
          .flatMap(directory -> below(directory, simpleName + ".java"))
          .findFirst()
          .orElse(null);
    }

    private static Stream<Path> below(Path directory, String file) {
      try (Stream<Path> paths = Files.walk(directory)) {
        return paths.filter(path -> path.endsWith(file)).toList().stream();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
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
   * Returns the run of a sweep over the classes of its package, with these changes. Its class has a
   * constructor without parameters.
   */
  @SuppressWarnings("unchecked")
  public static LongFunction<String> sweep(
      Class<? extends LongFunction<String>> run, Change... changes)
      throws ReflectiveOperationException {
    Constructor<?> constructor =
        with(run, changes).loadClass(run.getName()).getDeclaredConstructor();
    constructor.setAccessible(true);
    return (LongFunction<String>) constructor.newInstance();
  }

  /**
   * A package of the module that is tested, with these changes of different classes.
   *
   * @param member any class of the package
   * @throws IllegalArgumentException if an original text is not there, or a mutant does not compile
   */
  public static MutatedClasses with(Class<?> member, Change... changes) {
    return with(List.of(new SourcePackage(member, Path.of(""))), changes);
  }

  /**
   * Several packages, of this module or of others, with these changes of different classes. Classes
   * of these packages see each other as changed.
   *
   * @throws IllegalArgumentException if an original text is not there, or a mutant does not compile
   */
  public static MutatedClasses with(List<SourcePackage> packages, Change... changes) {
    Map<String, byte[]> mutated = new HashMap<>();
    for (Change change : changes) {
      String source = change.apply(readWithoutLayout(packages, change.simpleName()));
      mutated.putAll(compile(change.simpleName(), source));
    }
    return new MutatedClasses(packages, mutated);
  }

  /**
   * Returns the changes of a package of this module that do not fit its sources, with the reason.
   */
  public static List<String> outdated(Class<?> member, Stream<Change> changes) {
    return outdated(List.of(new SourcePackage(member, Path.of(""))), changes);
  }

  /** Returns the changes that do not fit the sources of these packages, with the reason. */
  public static List<String> outdated(List<SourcePackage> packages, Stream<Change> changes) {
    List<String> outdated = new ArrayList<>();
    changes.forEach(
        change -> {
          try {
            var unused = change.apply(readWithoutLayout(packages, change.simpleName()));
          } catch (IllegalArgumentException e) {
            outdated.add(String.valueOf(e.getMessage()));
          }
        });
    return outdated;
  }

  private static String readWithoutLayout(List<SourcePackage> packages, String simpleName) {
    Path source =
        packages.stream()
            .map(each -> each.sourceOf(simpleName))
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no source of "
                            + simpleName
                            + "; run this test in the directory of its module"));
    String text;
    try {
      text = Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("(?m)(^|\\s)//.*$", "")
        .replaceAll("\\s+", " ");
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
    if (packages.stream().noneMatch(each -> each.contains(name))) {
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
