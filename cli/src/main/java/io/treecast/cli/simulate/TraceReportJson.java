package io.treecast.cli.simulate;

import io.treecast.monitor.forecast.ErrorTotals;
import io.treecast.testkit.trace.TraceReport;
import io.treecast.testkit.trace.TraceReport.Slice;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A {@link TraceReport} in JSON. Times are in milliseconds unless the key has another unit. */
final class TraceReportJson {
  private final TraceReport report;

  TraceReportJson(TraceReport report) {
    this.report = report;
  }

  ObjectNode toJson() {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("nodes", report.nodes());
    put(json, "buildMillis", report.builtMillis() == null ? Double.NaN : report.builtMillis());
    report.slices().forEach(slice -> add(json.withArray("slices").addObject(), slice));
    ObjectNode total = json.putObject("total");
    put(total, "weightRatioMean", report.weightRatioMean());
    put(total, "weightRatioP95", report.weightRatioP95());
    total.put("edgeChanges", report.sum(Slice::edgeChanges));
    total.put("edgeChangesLastValue", report.sum(Slice::edgeChangesLastValue));
    total.put("controlMessages", report.sum(Slice::controlMessages));
    total.put("probes", report.sum(Slice::probes));
    put(total, "forecastError", report.forecastErrorMillis());
    put(total, "bestSingleError", report.errorMillis(report.bestSingle()));
    put(total, "lastValueError", report.errorMillis(report.lastValue()));
    total.put("unspannedSeconds", report.sum(Slice::unspannedSeconds));
    put(total, "overlayRatio", report.overlayRatioMean());
    put(total, "linksMean", report.linksMean());
    total.put("linksMost", report.linksMost());
    total.put("unspannedSlices", report.unspannedSlices());
    ObjectNode errors = json.putObject("forecastErrors");
    for (int i = 0; i < report.forecasters().size(); i++) {
      put(errors, report.forecasters().get(i), report.errorMillis(i));
    }
    return json;
  }

  private void add(ObjectNode json, Slice slice) {
    json.put("slice", slice.number());
    put(json, "weightMillis", slice.treeMicros() / 1e3);
    put(json, "minimumMillis", slice.minimumMicros() / 1e3);
    put(json, "weightRatio", slice.weightRatio());
    json.put("edgeChanges", slice.edgeChanges());
    json.put("edgeChangesLastValue", slice.edgeChangesLastValue());
    json.put("edgesCommitted", slice.edgesCommitted());
    json.put("controlMessages", slice.controlMessages());
    json.put("probes", slice.probes());
    ErrorTotals errors = slice.errors();
    double perForecast = errors.forecasts() == 0 ? Double.NaN : 1e3 * errors.forecasts();
    put(json, "forecastError", errors.ofChosen() / perForecast);
    ObjectNode byForecaster = json.putObject("forecastErrors");
    for (int i = 0; i < report.forecasters().size(); i++) {
      put(byForecaster, report.forecasters().get(i), errors.byForecaster().get(i) / perForecast);
    }
    json.put("unspannedSeconds", slice.unspannedSeconds());
    put(json, "overlayRatio", slice.overlayRatio());
    json.put("links", slice.links());
    json.put("linksMost", slice.mostLinks());
  }

  /** Puts a value rounded to six decimals, finer than any measurement; null if not known. */
  private static void put(ObjectNode json, String key, double value) {
    if (Double.isFinite(value)) {
      json.put(key, Math.round(value * 1e6) / 1e6);
    } else {
      json.putNull(key);
    }
  }
}
