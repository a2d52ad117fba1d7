// Package transcript makes of a session's records what people read: the parts of
// the session in their order ([Read]), whole items ([Items]), and documents of
// them ([Markdown], [HTML]).
//
// Contract: any sequence of records has a transcript, and what is unknown is left
// out. Nothing is read and nothing is asked: the records say all. Memory is
// bounded by what one turn needs. Text is the agent's and the user's own, so
// documents show hidden characters as escapes, and HTML has no other markup
// than this package's.
package transcript
