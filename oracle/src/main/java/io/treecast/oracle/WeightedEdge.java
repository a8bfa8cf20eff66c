package io.treecast.oracle;

/**
 * An undirected edge.
 *
 * @param a one end
 * @param b the other end
 * @param weight the weight; no two edges of a graph may have equal ones
 */
public record WeightedEdge<V, W extends Comparable<? super W>>(V a, V b, W weight) {}
