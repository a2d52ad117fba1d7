// Package hub lets several front ends use the sessions of one agent at once, and
// keeps the sessions while there is none.
//
// A hub is the view of one source, the agent's, which it opens with the first front end,
// and a source for the view of each front end. A session is a [history]: its
// changes in one order, with numbers. Each front end reads it at its own pace; one
// that does not read delays nobody, and what waits for it is folded into fewer
// changes. A front end that comes later, or again, gets the history folded. The
// newest part of a history is in memory, and what is older on the disk (type shelf).
//
// Contract:
//
//   - All front ends get every change of a session in the same order, and what
//     was said before the answer to a request before that answer.
//   - A request of the agent goes to every front end of its session that can
//     answer it. The first answer counts; the others are withdrawn. A front end
//     that goes away has not answered.
//   - A front end that goes away ends nothing.
//
// A session may be at another server ([Config].Elsewhere). Then the hub is one front
// end of that server's hub, for all of its own, and only the hub that has the session
// decides about its questions.
//
// One mutex guards all state. While it is held no source is called and nothing is shown;
// only what is too much for the memory is written to the disk.
package hub
