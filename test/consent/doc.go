// Package consent tests what an agent is told of an answer to its request for
// permission, on every path that an answer can take: from each kind of client, through
// each view and server, to each source.
package consent
