//go:build !amd64

package jsontext

// vectors tells that no instructions are used here that look at many bytes: to
// find marks byte by byte costs more than they save.
func vectors(int) bool { return false }

const (
	worth = 8 * block // for tests
	lane  = 32
)

func validLanes(*byte, int) bool { return false }

func (m *marks) read(*[block]byte) {}
