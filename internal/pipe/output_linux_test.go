package pipe

import (
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stopped is a clock that stands still between the steps of a test.
type stopped struct{ at time.Time }

func (c *stopped) now() time.Time { return c.at }

// output is an Output of a pipe whose writes take no time, and its other end.
func output(t *testing.T) (*Output, *os.File, *stopped) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	clock := new(stopped)
	o := NewOutput(w)
	o.now = clock.now
	t.Cleanup(func() {
		_ = o.Close()
		_ = r.Close()
	})
	return o, r, clock
}

func holds(t *testing.T, f *os.File) int {
	t.Helper()
	n, err := size(f)
	require.NoError(t, err)
	return n
}

// pass writes n bytes that are read at once.
func pass(t *testing.T, o *Output, r io.Reader, n int) {
	t.Helper()
	for b := make([]byte, 32<<10); n > 0; n -= len(b) {
		_, err := o.Write(b)
		require.NoError(t, err)
		_, err = io.ReadFull(r, b)
		require.NoError(t, err)
	}
}

func TestAPipeIsWideOnceItsReaderHasKeptUp(t *testing.T) {
	o, r, _ := output(t)
	usual := holds(t, r)
	require.Less(t, usual, Wide)
	pass(t, o, r, enough-1<<15)
	require.Equal(t, usual, holds(t, r))
	pass(t, o, r, 1<<15)
	require.Equal(t, Wide, holds(t, r))
}

func TestAReaderThatWasSlowMustKeepUpAnew(t *testing.T) {
	o, r, clock := output(t)
	usual := holds(t, r)
	pass(t, o, r, enough-1<<15)
	o.now = func() time.Time { clock.at = clock.at.Add(late + 1); return clock.at }
	pass(t, o, r, 1<<15)
	o.now = clock.now
	pass(t, o, r, enough-1<<15)
	require.Equal(t, usual, holds(t, r))
	pass(t, o, r, 1<<15)
	require.Equal(t, Wide, holds(t, r))
}

func TestMuchThatTakesItsTimeIsNotSlow(t *testing.T) {
	o, r, clock := output(t)
	read := make(chan error)
	go func() {
		_, err := io.CopyN(io.Discard, r, 8<<20)
		read <- err
	}()
	o.now = func() time.Time { clock.at = clock.at.Add(10 * late); return clock.at }
	_, err := o.Write(make([]byte, 8<<20))
	require.NoError(t, err)
	require.NoError(t, <-read)
	require.Equal(t, Wide, holds(t, r))
}

// slowly has a wide pipe of which the reader reads nothing write n bytes, as if
// that had taken long. What it returns says when the write is over.
func slowly(t *testing.T, o *Output, r io.Reader, clock *stopped, n int) <-chan error {
	t.Helper()
	pass(t, o, r, enough)
	o.now = func() time.Time { clock.at = clock.at.Add(time.Second); return clock.at }
	written := make(chan error, 1)
	go func() {
		_, err := o.Write(make([]byte, n))
		written <- err
	}()
	return written
}

func TestAPipeIsWideNoMoreWhenItsReaderIsSlow(t *testing.T) {
	o, r, clock := output(t)
	usual := holds(t, r)
	written := slowly(t, o, r, clock, Wide)
	// More is in the pipe than it usually holds: the write is not over before
	// that is read.
	_, err := io.ReadFull(r, make([]byte, Wide-usual-1))
	require.NoError(t, err)
	select {
	case err = <-written:
		require.Fail(t, "it did not wait for the reader", "%v", err)
	case <-time.After(4 * pause): // it has looked several times
	}
	require.Equal(t, Wide, holds(t, r))
	_, err = io.ReadFull(r, make([]byte, 4<<10))
	require.NoError(t, err)
	require.NoError(t, <-written)
	require.Equal(t, usual, holds(t, r))
	// Nothing is lost on the way.
	require.NoError(t, o.Close())
	left, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Len(t, left, usual+1-4<<10)
}

func TestAWriteThatWaitsForItsReaderEndsWithTheOutput(t *testing.T) {
	o, r, clock := output(t)
	written := slowly(t, o, r, clock, Wide)
	_, err := io.ReadFull(r, make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, o.Close())
	if err = <-written; err != nil { // it may not have begun
		require.ErrorIs(t, err, os.ErrClosed)
	}
}

func TestAWriteThatFailsDoesNotWaitForAReaderThatIsGone(t *testing.T) {
	o, r, clock := output(t)
	written := slowly(t, o, r, clock, 2*Wide)
	_, err := io.ReadFull(r, make([]byte, 1)) // the write has begun
	require.NoError(t, err)
	require.NoError(t, r.Close())
	select {
	case err = <-written:
		require.ErrorIs(t, err, syscall.EPIPE)
	case <-time.After(10 * time.Second):
		require.Fail(t, "it waits for nobody")
	}
}

func TestAPipeThatHoldsMuchAlreadyStaysAsItIs(t *testing.T) {
	o, r, clock := output(t)
	require.NoError(t, resize(r, 4*Wide))
	written := slowly(t, o, r, clock, Wide)
	require.NoError(t, <-written)
	require.Equal(t, 4*Wide, holds(t, r))
}

func TestAFileIsWrittenLikeAPipe(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	o := NewOutput(f)
	for range 3 {
		_, err = o.Write(make([]byte, enough))
		require.NoError(t, err)
	}
	info, err := f.Stat()
	require.NoError(t, err)
	require.EqualValues(t, 3*enough, info.Size())
	require.NoError(t, o.Close())
	require.Error(t, o.Close())
}
