package io.treecast.agent.runtime.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files of the page that draws the tree in a browser and follows it; they are in {@code
 * live-page} on the class path. They only read the agent's other pages, so a page that nobody has
 * opened costs nothing. Stateless.
 */
public final class LivePage {
  private static final String FOLDER = "live-page/";
  private static final String JAVASCRIPT = "text/javascript; charset=utf-8";

  /** Read once, since programs with several agents start them one after the other. */
  private static final Map<String, AdminPage> FILES = Collections.unmodifiableMap(read());

  private LivePage() {}

  /** Returns the page at {@code /}, and its parts at {@code /live-page/}. */
  public static Map<String, AdminPage> files() {
    return FILES;
  }

  private static Map<String, AdminPage> read() {
    Map<String, AdminPage> files = new LinkedHashMap<>();
    files.put("/", file("index.html", "text/html; charset=utf-8"));
    put(files, "live.css", "text/css; charset=utf-8");
    put(files, "icon.svg", "image/svg+xml");
    put(files, "live.js", JAVASCRIPT);
    put(files, "agent-answers.js", JAVASCRIPT);
    put(files, "tree-layout.js", JAVASCRIPT);
    put(files, "tree-picture.js", JAVASCRIPT);
    put(files, "viewport.js", JAVASCRIPT);
    put(files, "details.js", JAVASCRIPT);
    put(files, "selector.js", JAVASCRIPT);
    put(files, "tables.js", JAVASCRIPT);
    put(files, "words.js", JAVASCRIPT);
    put(files, "uplot/uPlot.iife.min.js", JAVASCRIPT);
    put(files, "uplot/uPlot.min.css", "text/css; charset=utf-8");
    return files;
  }

  private static void put(Map<String, AdminPage> files, String name, String contentType) {
    files.put("/" + FOLDER + name, file(name, contentType));
  }

  private static AdminPage file(String name, String contentType) {
    try (InputStream in = LivePage.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + FOLDER + name);
      }
      return AdminPage.lasting(contentType, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(FOLDER + name + " cannot be read", e);
    }
  }
}
