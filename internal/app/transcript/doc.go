// Package transcript converts a session's records into something people can read: the
// session's parts in order ([Read]), whole items ([Items]), and documents ([Markdown],
// [HTML]).
//
// Contract: any sequence of records has a transcript; unknown records are skipped. The
// package reads no files and asks nothing, because the records contain everything. Memory
// is bounded by the needs of one turn. All text comes from the agent and the user, so
// documents show hidden characters as escapes, and HTML contains no markup except this
// package's own.
package transcript
