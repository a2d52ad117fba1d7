package child

// Readable returns false: on Windows, only a read can wait for a pipe.
func (*output) Readable() bool { return false }
