package child

// Readable cannot tell: a pipe is waited for by reading it.
func (*output) Readable() bool { return false }
