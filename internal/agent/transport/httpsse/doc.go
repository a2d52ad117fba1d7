// Package httpsse talks to agents over HTTP, with JSON requests and streams
// of server-sent events.
//
// Every error has a code, and names the method and the URL, without user info
// and query, which may hold secrets. It says in a sentence what went wrong
// and what to do. Bodies and events are limited in size. Headers are never
// logged. A library parses the streams.
package httpsse
