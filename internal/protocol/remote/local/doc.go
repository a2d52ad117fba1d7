// Package local names and connects to servers on this machine, by a Unix socket or by a
// named pipe on Windows.
//
// Contract: an address is the path of a socket or of a pipe. The path of a pipe starts
// with \\.\pipe\. A pipe created by [ListenPipe] can only be opened by its user, and
// only from this machine. [Dial] refuses pipes of other users, because any user may
// have created a pipe with that name first.
package local
