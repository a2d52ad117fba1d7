// Package httpsse talks to agents over HTTP: JSON requests, and streams of
// server-sent events.
//
// Contract: every error names the method and the URL (without user info and
// query, which may hold secrets), says what went wrong in a sentence and what
// to do about it, and has a code. Bodies and events are bounded. Headers are
// never logged. A library parses the streams.
package httpsse
