// Package scaffold writes a new agent: a folder with a program that works, the
// emitter of its language where there is one, and what checks it.
//
// Contract: nothing is overwritten. A folder is written that does not exist, or
// is empty; if something fails, what was written is taken away again.
package scaffold
