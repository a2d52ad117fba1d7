// Package audit keeps who has decided what: a file of lines, one for each request
// for permission, to which lines are added and nothing else is done.
//
// # Contract
//
// A line is a [consent.Decision] as JSON. It is added by one write, so the lines of
// several processes stay whole. The file is readable by its user alone. It is opened
// for each line, so that it can be moved away at any time. That a line cannot be
// written is told once, delays nobody, and permits nothing.
package audit
