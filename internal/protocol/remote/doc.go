// Package remote contains what both ends of ACP's remote transport share: the names of
// its headers, the mapping of messages to streams, and lines.
//
// The transport is described in the protocol's proposal "Streamable HTTP & WebSocket
// Transport". It has one endpoint. Clients use either a WebSocket, whose text frames
// are messages, or HTTP requests, whose responses arrive on long-lived streams of
// server-sent events. Package server serves it, package client uses it, and package
// guard controls access.
//
// # Contract
//
// This package does no I/O. A message is one JSON object. The transport's view of a
// message is parsed without decoding the whole message. Malformed input causes an
// error, never a panic or a guess.
package remote
