package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// recorded is a subject with a known output.
type recorded struct {
	io.Reader
	asked int // number of calls of ends
}

func (*recorded) pid() int            { return 0 }
func (*recorded) prompt(string) error { return nil }
func (*recorded) close() error        { return nil }

func (r *recorded) ends(line []byte) (bool, error) {
	r.asked++
	return string(line) == "end", nil
}

func TestDrainCountsLinesInAnyPiecesUpToTheEnd(t *testing.T) {
	long := strings.Repeat("x", 3*chunk)
	stream := strings.Repeat("update\n", 100_000) + long + "\nend\n"
	for name, r := range map[string]io.Reader{
		"whole":        strings.NewReader(stream),
		"one byte":     iotest.OneByteReader(strings.NewReader(stream)),
		"half a read":  iotest.HalfReader(strings.NewReader(stream)),
		"data and EOF": iotest.DataErrReader(strings.NewReader(stream)),
	} {
		t.Run(name, func(t *testing.T) {
			var seen bytes.Buffer
			got, err := drain(&recorded{Reader: r}, func(b []byte) { seen.Write(b) })
			require.NoError(t, err)
			require.Equal(t, taken{lines: 100_001, bytes: int64(len(stream))}, got)
			require.Equal(t, seen.String(), stream, "every byte is seen once")
		})
	}
}

func TestDrainDoesNotCountTheTailOfALongLine(t *testing.T) {
	for _, length := range []int{tail - 5, tail - 4, tail, tail + 1, 2 * tail} {
		r := &recorded{Reader: strings.NewReader(strings.Repeat("x", length) + "end\n")}
		_, err := drain(r, func([]byte) {})
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
}

func TestDrainFailsIfTheStreamEndsTooEarly(t *testing.T) {
	_, err := drain(&recorded{Reader: strings.NewReader("update\nen")}, func([]byte) {})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
