// Package sse reads streams of server-sent events.
//
// Parsing is left to a library; this package bounds what it reads, and makes
// lines of the data, which is what decoders take.
package sse
