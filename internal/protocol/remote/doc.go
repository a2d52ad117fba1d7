// Package remote is what both ends of ACP's remote transport know: the names of
// its headers, which messages belong to which stream, and lines.
//
// The transport is that of the protocol's proposal "Streamable HTTP & WebSocket
// Transport": one endpoint, and on it either a WebSocket, whose text frames are
// messages, or requests of HTTP, whose answers come on long-lived streams of
// server-sent events. Package server serves it, package client uses it, and
// package guard decides who may.
//
// # Contract
//
// Nothing here reads or writes anything. A message is one JSON object. What a
// transport needs to know of it is found without building it, and what is
// malformed is an error, never a panic and never a guess.
package remote
