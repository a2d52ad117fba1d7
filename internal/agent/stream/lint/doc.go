// Package lint finds mistakes in an agent's output, and says how to fix them.
//
// The decoders accept almost anything, because an agent that works is better than
// one that doesn't. Whatever they skip or guess is a finding here: a rule's id,
// the location, a sentence for the author, and the fix. The package has three
// parts:
//
//   - [Framing] examines lines that are not events: plain text, JSON over several
//     lines, UTF-16 and the like. [Unwrap] extracts JSON that is still readable.
//   - [UnknownEvent], [Malformed] and [Members] examine one event.
//   - [Laws] check the order of events: calls that end without a start, turns that
//     do not end.
//
// A [Linter] combines them for a stream of lines.
//
// No input makes the package fail. A [Finding] keeps no reference to the line.
// Memory is bounded: only part of a long line is kept. The package uses no clock;
// callers report what depends on time.
package lint
