/**
 * Predictions of measured quantities, after the Network Weather Service: several {@linkplain
 * io.treecast.monitor.forecast.Forecaster forecasters} run on every series, and a {@link
 * io.treecast.monitor.forecast.ForecasterBank} uses the one with the least error so far.
 *
 * <p>Source: R. Wolski, N. Spring, J. Hayes, "The Network Weather Service: A Distributed Resource
 * Performance Forecasting Service for Metacomputing", Future Generation Computer Systems 15, 1999,
 * section 4.
 *
 * <p>Values are doubles of any unit; each series keeps to one unit. Nothing here owns a thread,
 * clock or random source.
 */
@NullMarked
package io.treecast.monitor.forecast;

import org.jspecify.annotations.NullMarked;
