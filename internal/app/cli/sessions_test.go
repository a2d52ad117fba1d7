package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/golden"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// kept is a state folder with saved sessions.
type kept struct {
	t     *testing.T
	store *journal.Folder
	now   time.Time
}

func keep(t *testing.T) *kept {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	store, err := sessionsFolder()
	require.NoError(t, err)
	return &kept{t, store, time.Now()}
}

// session saves a session that was last changed at the given time.
func (k *kept) session(h journal.Header, title string, changed time.Duration, records ...string) {
	k.t.Helper()
	if h.Agent == "" {
		h.Agent = "workspace"
	}
	if h.Cwd == "" {
		h.Cwd = "/work"
	}
	h.Created = k.now.Add(-changed)
	j, err := k.store.Create(h)
	require.NoError(k.t, err)
	list := []journal.Record{{Type: journal.TypePrompt, Data: []byte(`{"type":"prompt","text":"first words"}`)}}
	if len(records) > 0 {
		list = nil
	}
	for _, r := range records {
		kind, data, _ := strings.Cut(r, " ")
		list = append(list, journal.Record{Type: kind, Data: []byte(data)})
	}
	require.NoError(k.t, j.Append(1, list))
	if title != "" {
		require.NoError(k.t, j.Retitle(title, false))
	}
	require.NoError(k.t, j.Close())
	require.NoError(k.t, os.Chtimes(k.file(h.ID), time.Time{}, k.now.Add(-changed)))
}

// file returns the path of a session's records.
func (k *kept) file(id string) string {
	k.t.Helper()
	name, err := json.Marshal(id)
	require.NoError(k.t, err)
	files, err := filepath.Glob(filepath.Join(k.store.Path(), "*", "*.jsonl"))
	require.NoError(k.t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(k.t, err)
		if bytes.Contains(text, append([]byte(`"sessionId":`), name...)) {
			return file
		}
	}
	require.Fail(k.t, "there is no file", id)
	return ""
}

// sessions runs "turnwire sessions" without a terminal.
func sessions(args ...string) (stdout, stderr string, err error) {
	var out, errOut bytes.Buffer
	root := newRoot(nil)
	root.SetArgs(append([]string{"sessions"}, args...))
	root.SetIn(strings.NewReader(""))
	root.SetOut(&out)
	root.SetErr(&errOut)
	err = root.Execute()
	return out.String(), errOut.String(), err
}

func (k *kept) sessions(args ...string) string {
	k.t.Helper()
	out, _, err := sessions(args...)
	require.NoError(k.t, err)
	return strings.ReplaceAll(out, k.now.UTC().Format(time.RFC3339), "NOW")
}

const hostile = "red \x1b[31m, \u202eback\r\nand a bell\x07"

func TestSessionsAreListed(t *testing.T) {
	k := keep(t)
	require.Empty(t, k.sessions("--all"))
	require.Equal(t, "[]\n", k.sessions("--json"))
	k.session(journal.Header{ID: "tw-one", Agent: "python3:0123456789ab"}, hostile, time.Hour)
	k.session(journal.Header{ID: "tw-two", Cwd: "/else\x1bwhere"}, "", 0)

	one := `tw-one	red \x1b[31m, \u202eback\r and a bell\x07	python3:0123456789ab	/work	` + k.now.Add(-time.Hour).UTC().Format(time.RFC3339)
	two := `tw-two	first words	workspace	/else\x1bwhere	NOW`
	for args, want := range map[string][]string{
		"--all":                            {two, one},
		"--all --limit 1":                  {two},
		"--cwd /work":                      {one},
		"--cwd /nowhere":                   {},
		"--all --agent python3":            {one},
		"--all --agent workspace":          {two},
		"--all --agent work":               {},
		"-C /work -a python3:0123456789ab": {one},
	} {
		var lines []string
		for line := range strings.Lines(k.sessions(strings.Fields(args)...)) {
			lines = append(lines, line[:strings.LastIndexByte(line, '\t')]) // without the size
		}
		require.ElementsMatch(t, want, lines, args)
	}
	require.Contains(t, k.sessions("--all", "--json"), `"title": "red \u001b[31m, \u202eback\r\nand a bell\u0007"`)
}

func TestSessionsThatCannotBeReadAreNamed(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "Tea", 0)
	k.session(journal.Header{ID: "tw-two"}, "", 0)
	k.session(journal.Header{ID: "tw-new"}, "", 0)
	broken, newer := k.file("tw-two"), k.file("tw-new")
	require.NoError(t, os.WriteFile(broken, []byte("{\"turnwire\":\"sess"), 0o600))
	require.NoError(t, os.WriteFile(newer, []byte(`{"turnwire":"session","version":2,"sessionId":"tw-new"}`+"\n"), 0o600))
	for _, args := range [][]string{{"--all"}, {"--cwd", "/work"}} {
		out, said, err := sessions(args...)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(out, "\n"))
		require.Contains(t, out, "tw-one")
		lines := strings.Split(strings.TrimSpace(said), "\n")
		require.Equal(t, "turnwire: 2 sessions cannot be read:", lines[0])
		require.ElementsMatch(t, []string{
			"  read session: " + broken + ": it is not a Turnwire session",
			"  read session: " + newer + ": it was written by a newer Turnwire",
		}, lines[1:])
	}
	_, said, err := sessions("--cwd", "/elsewhere")
	require.NoError(t, err)
	require.Empty(t, said)
}

func TestAFolderHasTheSessionsOfLinksToIt(t *testing.T) {
	k := keep(t)
	dir := t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(real, "folder"), link))
	k.session(journal.Header{ID: "by-link", Cwd: link}, "", 0)
	k.session(journal.Header{ID: "by-name", Cwd: filepath.Join(real, "folder")}, "", time.Hour)
	list := k.sessions("--cwd", link)
	require.Less(t, strings.Index(list, "by-link"), strings.Index(list, "by-name"))
	require.Equal(t, 2, strings.Count(list, "\n"))
}

func TestTheTableFitsTheTerminal(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	list := []journal.Summary{
		{Header: journal.Header{ID: "tw-aaaaaaaaaaaa", Agent: "workspace", Cwd: "/home/p/projects/something/long"}, Title: "日本語 and " + hostile, Updated: now.Add(-time.Second), Size: 12},
		{Header: journal.Header{ID: "tw-aaaaaaaaabbb", Agent: "python3:0123456789ab", Cwd: "/home/p"}, Updated: now.Add(-50 * time.Hour), Size: 34_567},
		{Header: journal.Header{ID: "an id\x1b[m", Agent: "ethos", Cwd: "/"}, Title: "Parser", Updated: now.Add(-400 * 24 * time.Hour), Size: 1_234_567_890},
	}
	var shown strings.Builder
	for _, c := range []struct {
		width int
		all   bool
		paint paint
	}{{160, true, false}, {70, true, false}, {50, false, true}, {20, true, false}} {
		var out bytes.Buffer
		s := sessionTable{screen: screen{out: &out, width: c.width, home: "/home/p", paint: c.paint}, now: now, all: c.all, more: true}
		require.NoError(t, s.write(list))
		fmt.Fprintf(&shown, "-- %d --\n%s", c.width, out.String())
		for line := range strings.Lines(out.String()) {
			require.LessOrEqual(t, textwidth.Width(strings.TrimSuffix(line, "\n")), c.width)
		}
	}
	golden.File(t, "testdata/sessions-table.txt", strings.ReplaceAll(shown.String(), "\x1b", "␛"))
}

func TestAges(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour:            "just now",
		59 * time.Second:      "just now",
		time.Minute:           "1m ago",
		119 * time.Minute:     "1h ago",
		47 * time.Hour:        "1d ago",
		45 * 24 * time.Hour:   "1mo ago",
		364 * 24 * time.Hour:  "12mo ago",
		1000 * 24 * time.Hour: "2y ago",
	} {
		require.Equal(t, want, age(d))
	}
}

func TestASessionIsFoundByTheBeginningOfItsID(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-ab"}, "", 0)
	k.session(journal.Header{ID: "tw-abc"}, hostile, time.Minute)
	k.session(journal.Header{ID: "\x1b]0;x\x07 of an agent"}, "", time.Hour)
	for typed, want := range map[string]string{
		"tw-ab":           "tw-ab",
		"tw-abc":          "tw-abc",
		`\x1b]0;`:         "\x1b]0;x\x07 of an agent",
		"\x1b]0;x\x07 of": "\x1b]0;x\x07 of an agent",
	} {
		s, err := findSession(k.store, typed)
		require.NoError(t, err, typed)
		require.Equal(t, want, s.ID)
	}
	_, err := findSession(k.store, "tw-")
	require.EqualError(t, err, "2 sessions start with \"tw-\":\n  tw-ab  first words\n  tw-abc  "+`red \x1b[31m, \u202eback\r and a bell\x07`)
	_, err = findSession(k.store, "nobody\x1b")
	require.EqualError(t, err, `unknown session "nobody\x1b"; "turnwire sessions --all" lists all sessions`)
}

func TestAllOfManySessionsAreLookedAt(t *testing.T) {
	k := keep(t)
	for i := range 2*journal.DefaultLimit + 1 {
		k.session(journal.Header{ID: fmt.Sprintf("tw-%d", i)}, "", time.Duration(i)*time.Minute)
	}
	s, err := findSession(k.store, "tw-100")
	require.NoError(t, err)
	require.Equal(t, "tw-100", s.ID)
	_, err = findSession(k.store, "tw-1")
	require.NoError(t, err, "an id that is another one's beginning")
	require.Equal(t, 101, strings.Count(k.sessions("--all", "--limit", "500"), "\n"))
}

func TestASessionIsRenamed(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "of the agent", 0)
	k.sessions("rename", "tw-o", " mine ")
	require.Contains(t, k.sessions("--all"), "tw-one\tmine\t")
	j, err := k.store.Own("tw-one")
	require.NoError(t, err)
	require.NoError(t, j.Retitle("of the agent", false))
	require.NoError(t, j.Close())
	require.Contains(t, k.sessions("--all"), "tw-one\tmine\t")
}

// The Agent Host Protocol host has a file for each of its sessions.
func TestDeletedSessionIsForgottenByTheHost(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one", Agent: "ethos"}, "mine", time.Hour)
	folder, err := hostFolder()
	require.NoError(t, err)
	folder = filepath.Join(folder, "sessions")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for uri, record := range map[string]string{
		"turnwire-ethos:/a": `"agent":"ethos","session":"tw-one"`,
		"turnwire-ethos:/b": `"agent":"ethos","session":"tw-two"`,
		"turnwire-glue:/c":  `"agent":"glue","session":"tw-one"`,
		"turnwire-ethos:/d": `"agent":"ethos"`,
	} {
		sum := sha256.Sum256([]byte(uri))
		text := `{"uri":"` + uri + `","folders":["/w"],"draft":{"text":"secret"},` + record + `}`
		require.NoError(t, os.WriteFile(filepath.Join(folder, hex.EncodeToString(sum[:16])+".json"), []byte(text), 0o600))
	}
	k.sessions("delete", "--yes", "tw-one")
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		require.NoError(t, err)
		require.NotContains(t, string(text), "turnwire-ethos:/a")
	}
}

func TestSessionsAreDeletedOnlyWhenTheUserAgrees(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, hostile, 0)
	k.session(journal.Header{ID: "tw-two"}, "", 0)
	_, _, err := sessions("delete", "tw-one")
	require.EqualError(t, err, "nothing was deleted because there is no terminal to ask in: use --yes to delete")
	_, _, err = sessions("delete", "--yes", "tw-one", "tw-nobody")
	require.ErrorContains(t, err, `unknown session "tw-nobody"`)
	one, err := k.store.Describe("tw-one")
	require.NoError(t, err)

	for answer, agreed := range map[string]bool{"": false, "\n": false, "n\n": false, "yes, of course\n": false, "y": false, "y\n": true, " YES \n": true} {
		var out bytes.Buffer
		s := screen{in: strings.NewReader(answer), out: &out, width: 60, interactive: true}
		require.Equal(t, agreed, s.agreeToDelete([]journal.Summary{one}) == nil, "%q", answer)
		require.Contains(t, out.String(), "Delete this session? [y/N] ")
		require.NotContains(t, out.String(), "\x1b")
	}

	require.Equal(t, "✓ deleted tw-one  "+`red \x1b[31m, \u202eback\r and a bell\x07`+"\n", k.sessions("delete", "--yes", "tw-one", "tw-one"))
	require.Len(t, strings.Split(strings.TrimSpace(k.sessions("--all")), "\n"), 1)
	left, err := filepath.Glob(filepath.Join(k.store.Path(), "*", "tw-one*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestASessionOfAnotherProcessIsLeftAlone(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "", 100*24*time.Hour)
	j, err := k.store.Own("tw-one")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	for _, args := range [][]string{{"delete", "--yes", "tw-one"}, {"rename", "tw-one", "mine"}} {
		_, _, err := sessions(args...)
		require.Regexp(t, `^the session tw-one is open in process \d+$`, err.Error())
	}
	require.Equal(t, "0 sessions deleted\n", k.sessions("prune"))
	require.Contains(t, k.sessions("--all"), "tw-one\tfirst words\t")
}

func TestAnUnreadableSessionIsAnErrorThatNamesItsFile(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, "", 0)
	k.session(journal.Header{ID: "tw-newer"}, "", 0)
	require.NoError(t, os.WriteFile(k.file("tw-newer"), []byte(`{"turnwire":"session","version":2,"sessionId":"tw-newer"}`+"\n"), 0o600))
	require.Contains(t, k.sessions("--all"), "tw-one")
	_, _, err := sessions("delete", "--yes", "tw-newer")
	require.ErrorIs(t, err, journal.ErrNewer)
	require.ErrorContains(t, err, k.file("tw-newer"))
}

func TestSessionsArePruned(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-new"}, "", time.Hour)
	k.session(journal.Header{ID: "tw-week"}, "", 7*24*time.Hour)
	k.session(journal.Header{ID: "tw-old"}, "", 91*24*time.Hour)
	out, said, err := sessions("prune", "--dry-run", "--days", "3")
	require.NoError(t, err)
	require.Regexp(t, `^tw-week\t.*\ntw-old\t.*\n$`, out)
	require.Equal(t, "2 sessions would be deleted\n", said)
	require.Equal(t, 3, strings.Count(k.sessions("--all"), "\n"))
	require.Equal(t, "1 session deleted\n", k.sessions("prune"))
	config := filepath.Join(t.TempDir(), "turnwire.json")
	require.NoError(t, os.WriteFile(config, []byte(`{"sessions":{"days":1}}`), 0o600))
	require.Equal(t, "1 session deleted\n", k.sessions("prune", "--config", config))
	require.Regexp(t, `^tw-new\t.*\n$`, k.sessions("--all"))
}

func TestSessionsAreCompletedWithTheirTitles(t *testing.T) {
	k := keep(t)
	k.session(journal.Header{ID: "tw-one"}, hostile, 0)
	k.session(journal.Header{ID: "tw-two"}, "Second", time.Hour)
	k.session(journal.Header{ID: "x;\x1b"}, "", 0)
	complete := func(args ...string) string {
		var out bytes.Buffer
		root := newRoot(nil)
		root.SetArgs(append([]string{"__complete"}, args...))
		root.SetOut(&out)
		root.SetErr(&bytes.Buffer{})
		require.NoError(t, root.Execute())
		list, _, _ := strings.Cut(out.String(), "\n:")
		return list
	}
	one, two := "tw-one\t"+`red \x1b[31m, \u202eback\r and a bell\x07`, "tw-two\tSecond"
	require.Equal(t, one+"\n"+two, complete("sessions", "delete", ""))
	require.Equal(t, two, complete("sessions", "delete", "tw-one", "tw-"))
	require.Equal(t, two, complete("sessions", "rename", "tw-t"))
	require.Empty(t, strings.TrimPrefix(complete("sessions", "rename", "tw-two", ""), ":4\n"))
	require.Equal(t, "workspace", complete("sessions", "--agent", ""))
}
