package jsonc_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
)

// comments returns the comments of a text, which must parse.
func comments(t *testing.T, text []byte) []string {
	t.Helper()
	padded := append(bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff"))), '\n')
	v, err := hujson.Parse(padded)
	if err != nil {
		v, err = hujson.Parse(append(padded, "{}"...)) // a document with only comments
	}
	require.NoError(t, err)
	var all []string
	collect := func(extra hujson.Extra) {
		for rest := string(extra); ; {
			at := strings.IndexByte(rest, '/')
			if at < 0 {
				return
			}
			end := "\n"
			if rest[at+1] == '*' {
				end = "*/"
			}
			comment, after, _ := strings.Cut(rest[at+2:], end)
			// Of several carriage returns, the last ones may count as part of the newline.
			all = append(all, strings.TrimRight(comment, "\r"))
			rest = after
		}
	}
	for value := range v.All() {
		collect(value.BeforeExtra)
		collect(value.AfterExtra)
		switch inner := value.Value.(type) {
		case *hujson.Object:
			collect(inner.AfterExtra)
		case *hujson.Array:
			collect(inner.AfterExtra)
		}
	}
	slices.Sort(all)
	return all
}

// meaning returns the decoded value of a text.
func meaning(t *testing.T, text []byte) map[string]any {
	t.Helper()
	d, err := jsonc.Parse(text)
	require.NoError(t, err)
	members := map[string]any{}
	names, err := d.Names()
	require.NoError(t, err)
	for _, name := range names {
		var value json.RawMessage
		if found, err := d.Decode(&value, name); found && err == nil {
			members[name] = string(value)
		}
	}
	return members
}

// A document is either refused and left unchanged, or gets the entry and nothing else:
// all comments and all other members remain. Removing the entry restores the document.
func FuzzSetAndRemove(f *testing.F) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(f, err)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		for _, file := range archive.Files {
			f.Add(goldentext.Text(file.Data))
		}
	}
	f.Add([]byte("{//000000\r\r\n}"))
	f.Add([]byte("{\n//\r\r\n}"))
	f.Add([]byte(`{"servers": {"Agent \"A\"": {"Command": 1, "ARGS": 2}}}`))
	f.Fuzz(func(t *testing.T, before []byte) {
		d, err := jsonc.Parse(before)
		if err != nil {
			return
		}
		require.Equal(t, before, d.Bytes(), "to look changes nothing")
		had, _ := d.Decode(new(json.RawMessage), where...)
		if d.Set(entry, where...) != nil {
			require.True(t, had || bytes.Equal(before, d.Bytes()))
			return
		}
		with := d.Bytes()
		var command string
		found, err := d.Decode(&command, append(where, "command")...)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, "/usr/bin/agent", command)
		var args []string
		_, err = d.Decode(&args, append(where, "args")...)
		require.NoError(t, err)
		require.Equal(t, []string{"acp", "<&>"}, args)
		again, err := jsonc.Parse(with)
		require.NoError(t, err)
		require.NoError(t, again.Set(entry, where...))
		require.Equal(t, string(with), string(again.Bytes()))
		if had {
			return // comments in a list with another meaning are removed with it
		}
		require.Equal(t, comments(t, before), comments(t, with))

		require.NoError(t, d.Remove(where...))
		without := d.Bytes()
		require.Equal(t, comments(t, before), comments(t, without))
		was, is := meaning(t, before), meaning(t, without)
		delete(was, where[0])
		delete(is, where[0])
		require.Equal(t, was, is)
		require.NoError(t, d.Set(entry, where...))
		require.NoError(t, d.Remove(where...))
		require.Equal(t, string(without), string(d.Bytes()), "to and fro ends where it began")
	})
}
