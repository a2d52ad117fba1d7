package dialect_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// open is a dialect of files that don't mark their end.
var open = dialect.Dialect{
	Name:       "open",
	Recognise:  plain.Recognise,
	NewDecoder: func() dialect.Decoder { return openDecoder{} },
}

type openDecoder struct{ plainDecoder }

func (openDecoder) End(yield func(agent.Event) bool) { yield(&agent.Done{}) }

func TestOnlyEOFOfAFileEndsATurnWithoutAnEndEvent(t *testing.T) {
	for name, d := range map[string]dialect.Decoder{
		"by name":    open.NewDecoder(),
		"recognised": dialect.Auto(open, native.Dialect).NewDecoder(),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, strings.NewReader("plain"), d, discard())
			require.NoError(t, err)
			require.Equal(t, []string{"plain", "done"}, got)
			got, err = pumped(t, strings.NewReader("plain"), d, discard())
			require.NoError(t, err)
			require.Equal(t, []string{"plain"}, got)
			got, err = read(t, io.MultiReader(strings.NewReader("plain\n"), iotest.ErrReader(errOdd)), d, discard())
			require.ErrorIs(t, err, errOdd)
			require.Equal(t, []string{"plain"}, got)
		})
	}
}
