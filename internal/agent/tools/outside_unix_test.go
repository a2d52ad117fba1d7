//go:build unix

package tools

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// elsewhere returns a directory outside the desk's, with the file a.
func elsewhere(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("secret"), 0o600))
	return dir
}

func args(t *testing.T, members map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(members)
	require.NoError(t, err)
	return string(raw)
}

// asked returns the permission request among the events, or nil, and forgets the events.
func (d *desk) asked() (asked *agent.ConfirmationRequested) {
	for _, e := range d.events {
		if c, ok := e.(*agent.ConfirmationRequested); ok {
			asked = c
		}
	}
	d.events = nil
	return asked
}

// outsideCalls are calls that reach a file outside, or would if it existed.
func outsideCalls(t *testing.T, file string) map[string]string {
	return map[string]string{
		ReadFile:  args(t, map[string]any{"path": file}),
		WriteFile: args(t, map[string]any{"path": file, "content": "two"}),
		EditFile:  args(t, map[string]any{"path": file, "edits": []any{map[string]any{"old_text": "secret", "new_text": "two"}}}),
	}
}

func TestPathsOutsideNeedPermission(t *testing.T) {
	for name, want := range map[string]string{ReadFile: "secret", WriteFile: "has 3 bytes now.", EditFile: "has 3 bytes now."} {
		d, there := newDesk(t, nil), elsewhere(t)
		file := filepath.Join(there, "a")
		d.decide = agent.RejectOnce
		require.Equal(t, Result{Text: refusedText, Refused: true}, d.call(name, outsideCalls(t, file)[name]), name)
		asked := d.asked()
		require.Contains(t, asked.Reason, file+", which is outside the session's folders")
		require.Equal(t, file, asked.Locations[0].Path)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "secret", string(text), name)
		d.decide = agent.AllowOnce
		r := d.call(name, outsideCalls(t, file)[name])
		require.True(t, r.OK, r.Text)
		require.Contains(t, r.Text, want)
	}
}

const refusedText = "The user did not allow this call. Don't try it again in another way."

// Otherwise a model could find out what exists, and what files contain.
func TestWhatIsOutsideIsNotRevealedWithoutPermission(t *testing.T) {
	d, there := newDesk(t, nil), elsewhere(t)
	require.NoError(t, os.Mkdir(filepath.Join(there, "dir"), 0o755))
	require.NoError(t, os.Symlink("loop", filepath.Join(there, "loop")))
	for _, file := range []string{"a", "missing", "a/below", "dir", "loop", "no/such/folder"} {
		for name, call := range outsideCalls(t, filepath.Join(there, file)) {
			d.decide = agent.RejectOnce
			require.Equal(t, Result{Text: refusedText, Refused: true}, d.call(name, call), "%s %s", name, file)
			require.NotNil(t, d.asked())
		}
		d.decide = agent.AllowOnce
		if file != "a" {
			require.False(t, d.call(ReadFile, args(t, map[string]any{"path": filepath.Join(there, file)})).OK, file)
		}
	}
	edit := args(t, map[string]any{"path": filepath.Join(there, "a"), "edits": []any{map[string]any{"old_text": "password", "new_text": ""}}})
	d.decide = agent.RejectOnce
	require.Equal(t, refusedText, d.call(EditFile, edit).Text)
	d.decide = agent.AllowOnce
	require.Contains(t, d.call(EditFile, edit).Text, "the old text is not in the file")
}

func TestALinkToTheOutsideShowsWhereItLeads(t *testing.T) {
	d, there := newDesk(t, nil), elsewhere(t)
	require.NoError(t, os.Symlink(there, d.path("harmless")))
	d.decide = agent.AllowOnce
	require.Equal(t, "secret", d.call(ReadFile, `{"path":"harmless/a"}`).Text)
	require.Equal(t, filepath.Join(there, "a"), d.asked().Locations[0].Path)
	require.Equal(t, "a (6 bytes)\n", d.call(ListFiles, `{"path":"harmless"}`).Text)
	require.Equal(t, there, d.asked().Locations[0].Path)
	require.NotContains(t, d.call(Search, `{"pattern":"secret"}`).Text, "a:1")
	require.Nil(t, d.asked(), "a search stays inside")
}

// Only the place that was shown is allowed.
func TestAPlaceThatMovesAfterThePermissionIsLeftAlone(t *testing.T) {
	for name, move := range map[string]func(t *testing.T, dir, other string){
		"its folder becomes a link": func(t *testing.T, dir, other string) {
			require.NoError(t, os.Rename(dir, dir+"-old"))
			require.NoError(t, os.Symlink(other, dir))
		},
		"the file becomes a link": func(t *testing.T, dir, other string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "a")))
			require.NoError(t, os.Symlink(filepath.Join(other, "a"), filepath.Join(dir, "a")))
		},
	} {
		for tool := range outsideCalls(t, "") {
			d, there, other := newDesk(t, nil), elsewhere(t), elsewhere(t)
			dir := filepath.Join(there, "dir")
			require.NoError(t, os.Mkdir(dir, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("secret"), 0o600))
			d.decide, d.before = agent.AllowOnce, func() { move(t, dir, other) }
			r := d.call(tool, outsideCalls(t, filepath.Join(dir, "a"))[tool])
			require.False(t, r.OK, "%s, %s: %s", name, tool, r.Text)
			require.NotContains(t, r.Text, "secret")
			text, err := os.ReadFile(filepath.Join(other, "a"))
			require.NoError(t, err)
			require.Equal(t, "secret", string(text))
		}
	}
}

func TestAPermissionOutsideIsForOnePath(t *testing.T) {
	d, there := newDesk(t, nil), elsewhere(t)
	require.NoError(t, os.WriteFile(filepath.Join(there, "b"), []byte("b"), 0o600))
	read := func(name string) Result {
		return d.call(ReadFile, args(t, map[string]any{"path": filepath.Join(there, name)}))
	}
	d.decide = agent.AllowAlways
	require.Equal(t, "secret", read("a").Text)
	d.asked()
	require.Equal(t, "secret", read("a").Text)
	require.Nil(t, d.asked())
	d.decide = agent.RejectOnce
	require.True(t, read("b").Refused)
}

func TestNewFilesOutsideGetTheirFolders(t *testing.T) {
	d, there := newDesk(t, nil), elsewhere(t)
	d.decide = agent.AllowOnce
	file := filepath.Join(there, "new", "folder", "b")
	r := d.call(WriteFile, args(t, map[string]any{"path": file, "content": "two"}))
	require.True(t, r.OK, r.Text)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "two", string(text))
}

func TestConfinedToolsRefuseTheOutside(t *testing.T) {
	d, there := newDesk(t, nil), elsewhere(t)
	d.box = New(agent.Options{Cwd: d.dir}, Limits{Confined: true})
	require.NoError(t, os.Symlink(there, d.path("link")))
	for _, path := range []string{filepath.Join(there, "a"), "link/a", "../x", "/"} {
		for name, call := range outsideCalls(t, path) {
			r := d.call(name, call)
			require.False(t, r.OK)
			require.Regexp(t, "outside the workspace|names a directory", r.Text)
			require.NotContains(t, r.Text, "secret")
		}
	}
}

// An editor that serves only its own folders is no reason to refuse what the user allows.
type narrowEditor struct{}

func (narrowEditor) CanRead() bool  { return true }
func (narrowEditor) CanWrite() bool { return true }
func (narrowEditor) ReadTextFile(context.Context, string) (string, error) {
	return "", errors.New("outside the folder")
}

func (narrowEditor) WriteTextFile(context.Context, string, string) error {
	return errors.New("outside the folder")
}

func TestAnEditorMayRefuseWhatIsOutside(t *testing.T) {
	d, there := newDesk(t, nil), elsewhere(t)
	d.box = New(agent.Options{Cwd: d.dir, Editor: narrowEditor{}}, Limits{})
	d.decide = agent.AllowOnce
	calls := outsideCalls(t, filepath.Join(there, "a"))
	require.Equal(t, "secret", d.call(ReadFile, calls[ReadFile]).Text)
	require.Contains(t, d.call(EditFile, calls[EditFile]).Text, "Changed")
	require.Contains(t, d.call(WriteFile, outsideCalls(t, filepath.Join(there, "b"))[WriteFile]).Text, "Created")
	for _, name := range []string{"a", "b"} {
		text, err := os.ReadFile(filepath.Join(there, name))
		require.NoError(t, err)
		require.Equal(t, "two", string(text))
	}
}

func TestTheRootFolderCanBeListed(t *testing.T) {
	d := newDesk(t, nil)
	d.decide = agent.AllowOnce
	r := d.call(ListFiles, `{"path":"/"}`)
	require.True(t, r.OK, r.Text)
	require.Contains(t, r.Text, "/\n")
}
