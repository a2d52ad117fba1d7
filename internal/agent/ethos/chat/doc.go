// Package chat is a conversation through the web API of Ethos, without the network.
//
// A conversation's stream is shared by all of its turns and clients. A [Turn] finds out
// which of the stream's events belong to it, and when it ends. A [Conversation] is what
// turns leave to each other: the server's id, the personality, pending requests, and what
// is still to come from a turn that was cut off.
package chat
