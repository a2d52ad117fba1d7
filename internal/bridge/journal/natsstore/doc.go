// Package natsstore keeps sessions in NATS JetStream, for any number of servers.
//
// # Contract
//
// [Store] is a [journal.Store]. The messages of a session, put together, are the
// file that [journal.Folder] would have written: a header, and one record a line.
//
// What is appended is queued, and sent while the caller goes on: one message at a
// time for each session, and what comes meanwhile is the next one. Settle and Sync
// wait for the server to have it; how soon that is on its disk is the server's
// matter (sync_interval). While the server cannot be reached they wait no longer,
// and the queue grows, up to a bound. Beyond it the session is not kept any more.
//
// A session has one owner. Two things see to that:
//
//   - A lease, which says that the owner lives: an entry of a key-value bucket that
//     expires unless it is renewed. It is what [journal.OwnedError] names.
//   - A fence. Every message is sent with the number of the one before it, so the
//     server refuses it if anybody else has written. Who takes a session over
//     writes first, and so an owner that only seemed to be dead can write nothing
//     more. It gets [journal.ErrFenced], and [Config].Lost is called.
//
// A server that lives is reached through NATS, too: [Store.Await] finds it, and
// [Store.Dial] opens a stream of bytes to it, with a window and a heartbeat. NATS
// delivers a message at most once; a tunnel in which one is missing ends.
//
// A request for permission is an entry of another bucket while it waits, with what is
// to be recorded of it. It is changed by compare-and-set: the first answer that is in
// it counts, and is told to the agent after that. Who takes the session over makes
// the entry its own first, records what is in it, and tells nobody: a question that
// nobody has answered is recorded as not decided.
//
// # In the server
//
//	stream TURNWIRE
//	  turnwire.session.<hash of agent>.<hash of cwd>.<hash of id>   the records
//	  turnwire.title.<the same>                                     the title
//	bucket turnwire-owners
//	  <hash of id>                                                  the lease
//	bucket turnwire-questions
//	  <hash of id>                                                  what is asked
//	turnwire.alive.… dial.… tunnel.…                                between servers
//
// A stream that is there is used as it is: who wants other limits, or another
// placement, makes it before. A text that is too long for a message is cut into
// parts. Parts whose end is missing are no records.
package natsstore
