package memdisk_test

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// Saved sessions behave as on a real disk.
func TestSessionsKeepTheContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) journal.Keeper { return journal.NewFolderIn(memdisk.New(), "/sessions") })
}

func TestAFullDiskWritesWhatFits(t *testing.T) {
	d := memdisk.New()
	require.NoError(t, d.MkdirAll("/a", 0o700))
	f, err := d.Open("/a/b", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	d.Limit(5)
	n, err := f.Write([]byte("1234567"))
	require.Equal(t, 5, n)
	require.EqualError(t, err, "write /a/b: file too large")
	require.Error(t, d.Replace("/a/c", []byte("123456")))
	d.Limit(-1)
	require.NoError(t, f.Truncate(2))
	_, err = f.Write([]byte("89"))
	require.NoError(t, err)
	text, err := d.ReadWhole("/a/b", 4)
	require.NoError(t, err)
	require.Equal(t, "1289", string(text))
}

func TestACopyHasItsOwnFilesAndNoLocks(t *testing.T) {
	d := memdisk.New()
	require.NoError(t, d.MkdirAll("/a", 0o700))
	require.NoError(t, d.Replace("/a/b", []byte("one")))
	first, ok, err := d.Lock("/a/b")
	require.NoError(t, err)
	require.True(t, ok)
	_, ok, err = d.Lock("/a/b")
	require.NoError(t, err)
	require.False(t, ok)
	other := d.Copy()
	_, ok, err = other.Lock("/a/b")
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, other.Replace("/a/b", []byte("another")))
	require.Equal(t, map[string]int{"/a/b": 3}, d.Sizes())
	require.NoError(t, d.Remove("/a/b"))
	there, err := first.IsAt("/a/b")
	require.NoError(t, err)
	require.False(t, there)
	require.NoError(t, first.Close())
}

func TestASlowDiskTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := memdisk.New()
		require.NoError(t, d.MkdirAll("/a", 0o700))
		d.Slow(time.Second)
		done := make(chan bool)
		go func() {
			f, err := d.Open("/a/b", os.O_WRONLY|os.O_CREATE, 0o600)
			assert.NoError(t, err)
			close(done)
			_, err = f.Write([]byte("1"))
			assert.NoError(t, errors.Join(err, f.Sync()))
		}()
		synctest.Wait()
		require.Empty(t, d.Sizes())
		<-done
		require.Equal(t, map[string]int{"/a/b": 0}, d.Sizes())
		d.Slow(0)
		synctest.Wait()
		require.Equal(t, map[string]int{"/a/b": 0}, d.Sizes(), "the write had begun")
		time.Sleep(time.Minute)
		require.Equal(t, map[string]int{"/a/b": 1}, d.Sizes())
	})
}
