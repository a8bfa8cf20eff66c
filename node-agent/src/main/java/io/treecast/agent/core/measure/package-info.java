/**
 * Measures links: the pace of probes, forecasts of round-trip times, and the weight on which both
 * ends of a link agree.
 */
@NullMarked
package io.treecast.agent.core.measure;

import org.jspecify.annotations.NullMarked;
