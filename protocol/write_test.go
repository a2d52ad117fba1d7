package protocol_test

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol"
)

// highWater is how much may be pending before updates wait; see the package.
const highWater = 128 << 10

func line(text string) func([]byte) []byte {
	return func(dst []byte) []byte { return append(dst, text...) }
}

// fill appends updates until the next one must wait.
func fill(t *testing.T, s *protocol.Stream) int {
	t.Helper()
	n := 0
	for size := 0; size < highWater; n++ {
		text := fmt.Sprintf(`"%04d%s"`, n, strings.Repeat("x", 1000))
		require.NoError(t, s.Append(line(text)))
		size += len(text) + 1
	}
	return n
}

func TestLinesAreWrittenInTheOrderOfAppends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newRecord()
		s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
		var want []string
		for i := range 10_000 {
			text := fmt.Sprintf(`"%d"`, i)
			want = append(want, text)
			switch i % 3 {
			case 0:
				require.NoError(t, s.WriteObject(strconv.Itoa(i)))
			case 1:
				require.NoError(t, s.Append(line(text)))
			case 2:
				require.NoError(t, s.AppendChunk(&protocol.Chunk{Prefix: []byte(`"`), Suffix: "\"\n"}, []byte(strconv.Itoa(i))))
			}
		}
		require.NoError(t, s.Close())
		require.Equal(t, want, out.lines())
	})
}

func TestAnUpdateIsWrittenAfterAFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newStuck()
		s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
		require.NoError(t, s.Append(line("1")))
		require.Empty(t, out.entered, "an update alone is not worth a write")
		s.Flush()
		<-out.entered
		require.Equal(t, []string{"1"}, finish(t, s, out))
	})
}

func TestAFlushOfNothingWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newRecord()
		s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
		s.Flush()
		require.NoError(t, s.Close())
		require.Empty(t, out.lines())
	})
}

func TestAnswersNeverWaitForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		n := fill(t, s)
		for i := range 10_000 {
			require.NoError(t, s.WriteObject(i)) // would hang
		}
		lines := finish(t, s, out)
		require.Len(t, lines, 1+n+10_000)
		require.Equal(t, "9999", lines[len(lines)-1])
	})
}

func TestUpdatesWaitForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		n := fill(t, s)
		var reads atomic.Bool
		done := make(chan error, 1)
		go func() {
			done <- s.Append(func(dst []byte) []byte {
				return fmt.Appendf(dst, "%t", reads.Load())
			})
		}()
		require.NoError(t, s.WriteObject("an answer"))
		reads.Store(true)
		out.release <- struct{}{}
		<-out.entered // the writer has taken the pending bytes
		require.NoError(t, <-done)
		lines := finish(t, s, out)
		require.Len(t, lines, 1+n+2)
		require.Equal(t, []string{`"an answer"`, "true"}, lines[1+n:], "the update was made before the peer read")
	})
}

func TestMemoryIsBoundedWhileThePeerDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		const n, size = 10_000, 500
		done := make(chan error, 1)
		go func() {
			for range n {
				if err := s.Append(line(strings.Repeat("1", size))); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		close(out.release)
		require.NoError(t, <-done)
		s.Drain(patience)
		require.NoError(t, s.Close())
		require.Len(t, out.lines(), 1+n)
		for _, written := range out.sizes {
			require.LessOrEqual(t, written, highWater+size+1)
		}
	})
}

func TestEndRefusesChunksAndLetsNothingElseWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		n := fill(t, s)
		waiting, chunk := make(chan error), make(chan error)
		go func() { waiting <- s.Append(line(`"waited"`)) }()
		go func() { chunk <- s.AppendChunk(&protocol.Chunk{Suffix: "\n"}, []byte("waited")) }()
		s.End()
		require.NoError(t, <-waiting)
		require.ErrorIs(t, <-chunk, protocol.ErrClosed)
		require.NoError(t, s.Append(line(`"late"`)))
		require.ErrorIs(t, s.AppendChunk(&protocol.Chunk{Suffix: "\n"}, []byte("late")), protocol.ErrClosed)
		require.NoError(t, s.WriteObject("an answer"))
		lines := finish(t, s, out)
		require.Len(t, lines, 1+n+3)
		require.Equal(t, []string{`"waited"`, `"late"`, `"an answer"`}, lines[len(lines)-3:])
	})
}

func TestNothingIsWrittenAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newRecord()
		s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
		require.NoError(t, s.Append(line(`"before"`)))
		require.NoError(t, s.Close())
		require.ErrorIs(t, s.WriteObject(1), protocol.ErrClosed)
		require.ErrorIs(t, s.Append(line("1")), protocol.ErrClosed)
		<-s.Broken()
		require.Equal(t, []string{`"before"`}, out.lines())
	})
}

func TestCloseEndsARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := io.Pipe()
		s := protocol.NewStream(in, newRecord(), in.Close, silent)
		read := make(chan error)
		go func() {
			var v any
			read <- s.ReadObject(&v)
		}()
		require.NoError(t, s.Close())
		require.Error(t, <-read)
	})
}

func TestCloseDoesNotWaitForeverForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := busy(t)
		require.NoError(t, s.WriteObject("never read"))
		require.NoError(t, s.Close()) // would hang
	})
}

func TestDrainGivesUpAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		s.Drain(time.Millisecond) // would hang
		require.Equal(t, []string{`"first"`}, finish(t, s, out))
	})
}

func TestDrainStartsNoSecondWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		s.Drain(time.Millisecond) // ends while the write is under way
		require.Equal(t, []string{`"first"`}, finish(t, s, out))
		require.Equal(t, []int{len("\"first\"\n")}, out.sizes)
	})
}

func TestDrainWaitsForAppendedLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		require.NoError(t, s.Append(line(`"update"`)))
		close(out.release)
		s.Drain(patience)
		out.mu.Lock()
		require.Equal(t, "\"first\"\n\"update\"\n", out.buf.String())
		out.mu.Unlock()
	})
}

// broken is a peer that has disconnected.
type broken struct{ record }

var errGone = errors.New("nobody reads")

func (*broken) Write([]byte) (int, error) { return 0, errGone }

func TestAPeerThatWentAwayIsNoticed(t *testing.T) {
	s := protocol.NewStream(strings.NewReader(""), &broken{record{closed: make(chan struct{})}}, nil, silent)
	require.NoError(t, s.WriteObject(1))
	<-s.Broken()
	require.ErrorIs(t, s.WriteObject(2), errGone)
	require.ErrorIs(t, s.Append(line("3")), errGone)
	s.Drain(patience) // would hang
	require.NoError(t, s.Close())
}

func TestAPeerThatGoesAwayEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		fill(t, s)
		waiting := make(chan error)
		go func() { waiting <- s.Append(line(`"waited"`)) }()
		require.NoError(t, out.Close())
		require.ErrorIs(t, <-waiting, io.ErrClosedPipe)
	})
}

func TestAValueThatCannotBeEncodedWritesNoLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newRecord()
		s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
		require.Error(t, s.WriteObject(make(chan int)))
		require.NoError(t, s.WriteObject("next"))
		require.NoError(t, s.Close())
		require.Equal(t, []string{`"next"`}, out.lines())
	})
}
