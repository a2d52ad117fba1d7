// Package natsstore stores sessions in NATS JetStream, for any number of servers.
//
// # Contract
//
// [Store] is a [journal.Store]. The messages of a session, concatenated, are the file
// that [journal.Folder] would write: a header, then one record per line.
//
// Appended records are queued and sent in the background, one message at a time for
// each session. Records that arrive meanwhile form the next message. Settle and Sync
// wait until the NATS server has them; when it writes them to disk is up to its
// configuration (sync_interval). While the server is unreachable, they don't wait, and
// the queue grows up to a limit. Beyond it, the session is no longer saved. Calls in
// progress end when their connection breaks. Read and Describe wait for the records
// that this process appended.
//
// A session has one owner. Two mechanisms ensure this:
//
//   - A lease shows that the owner is alive. It is an entry in a key-value bucket that
//     expires unless it is renewed, and it names the owner for [journal.OwnedError].
//   - A fence. Every message is sent with the number of the previous one, so the server
//     refuses it if anyone else has written. A new owner writes first, and so a
//     previous owner that only seemed to be dead can write nothing more. It gets
//     [journal.ErrFenced], and [Config].Lost is called.
//
// A live server is reachable through NATS, too: [Store.Await] finds it, and
// [Store.Dial] opens a byte stream to it, with a window and a heartbeat. NATS delivers
// a message at most once; a tunnel that loses one ends.
//
// The pending permission requests and forms of a session are one entry in another
// bucket, with the decisions to record. It is changed by compare-and-set: the first
// answer stored in it counts, and only then is the agent told. A server that takes over
// the session first takes over the entry, and then records its decisions without
// telling anyone. An unanswered question is recorded as undecided.
//
// # On the NATS server
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
// An existing stream is used unchanged. To use other limits or another placement,
// create it beforehand. A text that is too long for one message is split into parts.
// Parts without the final one are not records.
package natsstore
