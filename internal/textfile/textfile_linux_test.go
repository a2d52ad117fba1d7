package textfile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textfile"
)

// Such a file has the size 0, like a file that is being truncated.
func TestAFileWithAWrongSizeIsNotText(t *testing.T) {
	_, err := textfile.Read([]string{"/proc/self"}, "/proc/self/status", 1<<20)
	require.ErrorIs(t, err, textfile.ErrChanging)
}
