// Package pipe makes pipes hold more than the 64 KiB that they usually hold, on
// Linux: who writes much then waits for its reader less often. What a pipe holds
// goes before whatever is written next, though. For the output of an agent that
// is no loss: all of it is shown in its order. An editor waits for answers, too,
// so an [Output] is wide only while its reader keeps up.
package pipe

import "os"

// Wide is how much a wide pipe holds, in bytes.
const Wide = 256 << 10

// Widen lets the pipe that f is an end of hold more. It stays as it is where the
// system grants no more memory for pipes.
func Widen(f *os.File) { _ = resize(f, Wide) }
