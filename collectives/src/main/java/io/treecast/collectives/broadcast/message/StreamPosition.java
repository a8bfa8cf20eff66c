package io.treecast.collectives.broadcast.message;

/**
 * The position that a member has reached in one stream.
 *
 * @param stream the stream
 * @param next the first place that the member does not have
 */
public record StreamPosition(StreamId stream, Position next) {}
