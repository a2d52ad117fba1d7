// Package lint says what is wrong with what an agent writes, and what the cure is.
//
// The decoders take almost anything, because an agent that runs is better than
// one that does not. What they have to skip, or to guess, is a finding here: a
// rule's id, the place, a sentence for the author, and the cure. There are three
// parts:
//
//   - [Framing] looks at lines that are no events: text, JSON over several lines,
//     UTF-16 and the like. [Unwrap] reads what can be read all the same.
//   - [UnknownEvent], [Malformed] and [Members] look at one event.
//   - [Laws] look at the order of events: calls that end without a start, turns
//     that do not end.
//
// A [Linter] puts them together for a stream of lines.
//
// Contract: any bytes may be given, and none make it fail. A [Finding] keeps no
// reference to the line. Memory is bounded: of a long line a part is kept. There
// is no clock: what depends on time is told by who has one.
package lint
