package textfile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textfile"
)

// The size of such a file is 0, like that of one that is just being emptied.
func TestAFileThatIsNotAsLongAsItSaysIsNoText(t *testing.T) {
	_, err := textfile.Read([]string{"/proc/self"}, "/proc/self/status", 1<<20)
	require.ErrorIs(t, err, textfile.ErrChanging)
}
