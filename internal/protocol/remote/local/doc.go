// Package local names and reaches servers of this machine: by a Unix socket, or by a
// named pipe of Windows.
//
// Contract: an address is the path of a socket, or of a pipe, which begins with
// \\.\pipe\. A pipe that [ListenPipe] makes can be opened by its user alone, from this
// machine alone, and [Dial] speaks to no pipe of anybody else: any user may have
// made one of the name before.
package local
