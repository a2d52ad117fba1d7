//go:build !amd64

package jsontext

// marked tells that marks are not read here: to find them byte by byte costs
// more than they save.
const marked = false

func (m *marks) read(*[block]byte) {}
