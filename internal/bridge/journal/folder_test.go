package journal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// keep creates a session with records whose data is "1", "2" and so on.
func keep(t *testing.T, f *journal.Folder, h journal.Header, records int) {
	t.Helper()
	j, err := f.Create(h)
	require.NoError(t, err)
	add(t, j, records)
	require.NoError(t, j.Close())
}

func add(t *testing.T, j journal.Journal, records int) {
	t.Helper()
	for range records {
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: journal.TypePrompt, Data: fmt.Appendf(nil, `{"n":%d}`, j.Next())}}))
	}
}

// all returns the data of session a's records.
func all(t *testing.T, f *journal.Folder) []string {
	t.Helper()
	var out []string
	for r, err := range f.Read("a", 1) {
		require.NoError(t, err)
		out = append(out, string(r.Data))
	}
	return out
}

// file returns the only records file in a folder.
func file(t *testing.T, f *journal.Folder) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(f.Path(), "*", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

func TestOnlyTheirUserCanReadFiles(t *testing.T) {
	f := journal.NewFolder(filepath.Join(t.TempDir(), "sessions"))
	for _, id := range []string{"tw-1", "../../etc/passwd"} {
		keep(t, f, journal.Header{ID: id, Cwd: "/project"}, 1)
	}
	require.NoFileExists(t, filepath.Join(filepath.Dir(f.Path()), "etc"))
	for _, name := range []string{"*", "*/*"} {
		paths, err := filepath.Glob(filepath.Join(f.Path(), name))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077, "%s", path)
		}
	}
	for _, id := range []string{"tw-1", "../../etc/passwd"} {
		require.NoError(t, f.Delete(id))
	}
	left, err := os.ReadDir(f.Path())
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestTheOwnerIsAProcess(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	j, err := f.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	add(t, j, 1)
	_, err = f.Own("a")
	owned, ok := errors.AsType[*journal.OwnedError](err)
	require.True(t, ok)
	require.Equal(t, fmt.Sprintf("process %d", os.Getpid()), owned.Owner)
	require.NoError(t, j.Close())
}

// A crash leaves any prefix of the last write. A machine's crash can also leave blocks
// of zeros.
func TestATruncatedEndIsRepaired(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	keep(t, f, journal.Header{ID: "a", Cwd: "/"}, 3)
	path := file(t, f)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	head := strings.IndexByte(string(whole), '\n') + 1
	for size := head; size <= len(whole); size++ {
		for _, garbage := range []string{"", "\x00\x00\x00", "{}\n", strings.Repeat("x", 200_000), "\x00\n\x00\n"} {
			require.NoError(t, os.WriteFile(path, append(whole[:size:size], garbage...), 0o600))
			records := strings.Count(string(whole[head:size]), "\n")
			require.Len(t, all(t, f), records, "reading needs no repair: %d %.5q", size, garbage)
			j, err := f.Own("a")
			require.NoError(t, err)
			require.Equal(t, int64(records+1), j.Next())
			add(t, j, 1)
			require.NoError(t, j.Close())
			got := all(t, f)
			require.Len(t, got, records+1)
			require.Equal(t, fmt.Sprintf(`{"n":%d}`, records+1), got[records])
		}
	}
}

func TestALongLastLineIsFound(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	j, err := f.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(`"` + strings.Repeat("x", 1<<20) + `"`)}}))
	}
	require.NoError(t, j.Close())
	j, err = f.Own("a")
	require.NoError(t, err)
	require.Equal(t, int64(3), j.Next())
	require.NoError(t, j.Close())
}

func TestOtherFilesAreLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    error
	}{
		"another format":   {"{\"a\":1}\n{}\n", journal.ErrForeign},
		"not even JSON":    {"hello\n", journal.ErrForeign},
		"one long line":    {strings.Repeat("x", 2<<20), journal.ErrForeign},
		"another session":  {`{"turnwire":"session","version":1,"sessionId":"b","agent":"","cwd":"/","created":"2026-01-01T00:00:00Z"}` + "\n", journal.ErrForeign},
		"a later version":  {`{"turnwire":"session","version":2,"sessionId":"a","agent":"","cwd":"/","created":"2026-01-01T00:00:00Z"}` + "\n", journal.ErrNewer},
		"a damaged middle": {`{"turnwire":"session","version":1,"sessionId":"a","agent":"","cwd":"/","created":"2026-01-01T00:00:00Z"}` + "\n{\"seq\":1\n" + `{"seq":2,"type":"n","data":{}}` + "\n", journal.ErrDamaged},
		"a gap":            {`{"turnwire":"session","version":1,"sessionId":"a","agent":"","cwd":"/","created":"2026-01-01T00:00:00Z"}` + "\n" + `{"seq":2,"type":"n","data":{}}` + "\n" + `{"seq":3,"type":"n","data":{}}` + "\n", journal.ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			f := journal.NewFolder(t.TempDir())
			keep(t, f, journal.Header{ID: "a", Cwd: "/"}, 1)
			path := file(t, f)
			require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
			var failed error
			for _, err := range f.Read("a", 1) {
				failed = err
			}
			require.ErrorIs(t, failed, c.want)
			require.ErrorContains(t, failed, path)
			page, err := f.List(journal.Filter{})
			require.NoError(t, err)
			if !errors.Is(c.want, journal.ErrDamaged) {
				_, err := f.Own("a")
				require.ErrorIs(t, err, c.want)
				require.Empty(t, page.Sessions)
				require.Len(t, page.Unread, 1, "it is not there, but not silently")
				require.ErrorIs(t, page.Unread[0], c.want)
				require.ErrorContains(t, page.Unread[0], path)
			}
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.content, string(after))
		})
	}
}
