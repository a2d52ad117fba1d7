//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

const (
	sayHello = `{"type":"text_delta","text":"Hello"}` + "\n"
	sayDone  = `{"type":"done","text":""}` + "\n"
)

// overdue is how long "turnwire check" waits for something that never comes. The agent
// must have started and answered by then, even on a slow machine.
const overdue = "15s"

// mistakes are common beginners' mistakes in agents: what the agent prints for each
// prompt, and what its author is told.
var mistakes = map[string]struct {
	prints string
	rule   string
	line   int
	says   string
	notice bool // the user sees a notice, because nothing else is shown
	ends   bool // the turn ends by itself
}{
	"a misspelt type":         {`{"type":"text_dleta","text":"Hello"}` + "\n" + sayDone, "unknown-event", 1, `did you mean "text_delta"?`, true, true},
	"JSON over lines":         {"{\n  \"type\": \"done\",\n  \"text\": \"\"\n}\n", "pretty-json", 1, "does not end on this line", true, false},
	"a byte-order mark":       {"\ufeff" + sayHello + sayDone, "bom", 1, "byte-order mark", false, true},
	"server-sent events":      {"data: " + sayHello + "\ndata: " + sayDone, "sse-data-prefix", 1, "server-sent event", false, true},
	"another turn's id":       {`{"type":"done","text":"","turnId":"t1"}` + "\n", "wrong-turn", 1, `belongs to turn "t1"`, true, false},
	"UTF-16":                  {encodedUTF16(sayHello + sayDone), "utf16", 1, "UTF-16", true, false},
	"no end":                  {sayHello, "no-done", 0, "did not end", false, false},
	"debugging on stdout":     {"got a prompt\n" + sayHello + sayDone, "not-json", 1, "not JSON", false, true},
	"the text's other name":   {`{"type":"thinking_delta","text":"Hm"}` + "\n" + sayDone, "wrong-member", 1, "`thinking`", true, true},
	"an array":                {`[{"type":"text_delta","text":"Hello"}]` + "\n" + sayDone, "json-array", 1, "JSON array", true, true},
	"carriage returns":        {strings.ReplaceAll(sayHello+sayDone, "\n", "\r\n"), "crlf", 1, "carriage return", false, true},
	"a value of a wrong kind": {`{"type":"text_delta","text":7}` + "\n" + sayDone, "malformed-event", 1, "text must be a string, not a number", true, true},
	"what Python prints":      {`{'type': 'done', 'text': ''}` + "\n", "bad-json", 1, "double quotes", true, false},
}

func encodedUTF16(text string) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

// printer returns a command that prints a text for each prompt.
func printer(t *testing.T, text string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "printed")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	cat, err := exec.LookPath("cat")
	require.NoError(t, err)
	return []string{shell, "-c", `while read -r command; do case $command in *'"type":"prompt"'*) "$0" "$1" ;; esac; done`, cat, path}
}

// checked is a line of "turnwire check --json".
type checked struct {
	Rule, Severity, Message, Help string
	Kit                           []string
	Line                          int
	Summary                       *struct{ Errors, Warnings, Notes, Lines int }
}

func check(t *testing.T, stdin string, args ...string) ([]checked, int) {
	t.Helper()
	r := turnwire(t, stdin, append([]string{"check", "--json"}, args...)...)
	require.Empty(t, r.stderr)
	var all []checked
	for line := range strings.Lines(r.stdout) {
		var c checked
		require.NoError(t, json.Unmarshal([]byte(line), &c), line)
		all = append(all, c)
	}
	require.NotEmpty(t, all)
	require.NotNil(t, all[len(all)-1].Summary, "the last line is the summary")
	return all, r.code
}

func rule(all []checked, id string) *checked {
	for i := range all {
		if all[i].Rule == id {
			return &all[i]
		}
	}
	return nil
}

func TestCheckFindsTheMistakesOfNewAuthors(t *testing.T) {
	t.Parallel()
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := patience.String()
			if !m.ends {
				limit = overdue
			}
			all, code := check(t, "", append([]string{"--timeout", limit, "--"}, printer(t, m.prints)...)...)
			f := rule(all, m.rule)
			require.NotNil(t, f, "%+v", all)
			require.Equal(t, m.line, f.Line)
			require.Contains(t, f.Message, m.says)
			require.NotEmpty(t, f.Help)
			require.Equal(t, f.Severity == "error" || !m.ends, code == 1, "%+v", all)
			require.Nil(t, rule(all, "does-not-end"), "%+v", all)
		})
	}
}

func TestUnreadableLinesAreReportedToTheUser(t *testing.T) {
	t.Parallel()
	for name, m := range mistakes {
		if !m.notice {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := launch(t, options{args: append([]string{"acp", "--no-journal", "--"}, printer(t, m.prints)...)})
			s := e.open(t.TempDir())
			id := e.prompt(s, "go")
			e.saw(m.says)
			if m.ends {
				require.Equal(t, "end_turn", e.stops(id))
			} else {
				e.cancel(s)
				require.Equal(t, "cancelled", e.stops(id))
			}
		})
	}
}

func TestHarmlessMistakesAreNotReportedToTheUser(t *testing.T) {
	t.Parallel()
	for name, m := range mistakes {
		if m.notice || !m.ends {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := turnwire(t, "", append([]string{"run", "--no-journal", "--log-file", "-", "go", "--"}, printer(t, m.prints)...)...)
			require.Zero(t, r.code)
			require.Equal(t, "Hello\n", r.stdout)
			if m.rule != "crlf" {
				require.Contains(t, r.stderr, "rule="+m.rule, "but it is in the log")
			}
		})
	}
}

func TestDoctorRejectsATurnWithoutOutput(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	found, code := p.doctor(append([]string{"--"}, printer(t, mistakes["a misspelt type"].prints)...)...)
	require.Equal(t, 1, code)
	require.Equal(t, "failed", found["answer"].Status, "%+v", found)
	require.Contains(t, found["notice"].Detail, `did you mean "text_delta"?`, "%+v", found)

	found, code = p.doctor(append([]string{"--timeout", "1s", "--"}, printer(t, sayHello)...)...)
	require.Equal(t, 1, code)
	require.Contains(t, found["answer"].Detail, "did not end the turn within 1s")
}

func TestCheckRunsAgentsThroughTheirTurns(t *testing.T) {
	t.Parallel()
	asks := `while read -r command; do case $command in
		*'"type":"prompt"'*) echo '{"type":"question","questionId":"q","question":"Which?","options":["a","b"]}' ;;
		*'"type":"question_response"'*'"cancelled":true'*) echo '{"type":"done","text":"","stopReason":"cancelled"}' ;;
		*'"type":"question_response"'*) echo '{"type":"tool_confirmation_request","toolCallId":"c","toolName":"t"}' ;;
		*'"type":"tool_confirmation_response"'*'"decision":"allow'*) echo '{"type":"tool_end","toolCallId":"c","ok":true}'; echo '{"type":"done","text":"x"}' ;;
		*'"type":"tool_confirmation_response"'*) REFUSED; echo '{"type":"done","text":"x"}' ;;
		esac; done`
	all, code := check(t, "", "--timeout", patience.String(), "--strict", "--", "sh", "-c", strings.ReplaceAll(asks, "REFUSED", `echo '{"type":"tool_end","toolCallId":"c","ok":false,"cancelled":true}'`))
	require.Zero(t, code, "%+v", all)
	require.Len(t, all, 1, "%+v", all)

	all, code = check(t, "", "--timeout", patience.String(), "--", "sh", "-c", strings.ReplaceAll(asks, "REFUSED", `echo '{"type":"tool_end","toolCallId":"c","ok":true}'`))
	require.Equal(t, 1, code)
	require.NotNil(t, rule(all, "refusal-unread"), "%+v", all)

	steers := `n=; echo '{"type":"agent_info","steer":{}}'; while read -r command; do case $command in
		*'"type":"prompt"'*) n=x$n; echo '{"type":"text_delta","text":"x"}'; [ $n = xxx ] || echo '{"type":"done","text":"x"}' ;;
		*'"type":"steer"'*) echo '{"type":"steered","steerId":"ID"}'; echo '{"type":"done","text":"x"}' ;;
		esac; done`
	all, code = check(t, "", "--timeout", patience.String(), "--strict", "--", "sh", "-c", strings.ReplaceAll(steers, "ID", "steer-3"))
	require.Zero(t, code, "%+v", all)
	all, code = check(t, "", "--timeout", patience.String(), "--", "sh", "-c", strings.ReplaceAll(steers, "ID", "x"))
	require.Equal(t, 1, code)
	require.NotNil(t, rule(all, "steered-unknown"), "%+v", all)

	turns := t.TempDir()
	for name, c := range map[string]struct{ rule, script string }{
		"not flushed":           {"not-flushed", `while read -r command; do n=x$n; done; while [ -n "$n" ]; do n=${n#x}; echo '` + strings.TrimSpace(sayHello) + `'; echo '` + strings.TrimSpace(sayDone) + `'; done`},
		"dies in its turn":      {"exited", `read -r command; echo "no key" >&2; exit 3`},
		"dies at the end":       {"bad-exit", `while read -r command; do case $command in *'"prompt"'*) echo '` + strings.TrimSpace(sayHello) + `'; echo '` + strings.TrimSpace(sayDone) + `' ;; esac; done; exit 3`},
		"ignores the cancel":    {"cancel-ignored", `read -r command; echo '` + strings.TrimSpace(sayHello) + `'; echo '` + strings.TrimSpace(sayDone) + `'; read -r command; echo '` + strings.TrimSpace(sayHello) + `'; cat > /dev/null`},
		"there is no command":   {"not-started", ""},
		"says nothing at all":   {"no-answer", "cat > /dev/null"},
		"drops the prompt":      {"no-done", `read -r prompt; echo '{"type":"agent_info"}'; cat > /dev/null`},
		"goes mute at last":     {"no-done", `echo '{"type":"agent_info"}'; read -r session; read -r prompt; if mkdir '` + turns + `/1' || mkdir '` + turns + `/2'; then echo '` + strings.TrimSpace(sayDone) + `'; exit; fi; cat > /dev/null`},
		"goes on after its end": {"event-after-done", `while read -r command; do case $command in *'"prompt"'*) echo '` + strings.TrimSpace(sayHello) + `'; echo '` + strings.TrimSpace(sayDone) + `'; echo '` + strings.TrimSpace(sayHello) + `' ;; esac; done`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := []string{"sh", "-c", c.script}
			if c.script == "" {
				command = []string{"no-such-command-of-turnwire"}
			}
			limit := patience.String()
			if slices.Contains([]string{"not-flushed", "cancel-ignored", "no-answer", "no-done"}, c.rule) {
				limit = overdue
			}
			all, code := check(t, "", append([]string{"--timeout", limit, "--"}, command...)...)
			found := rule(all, c.rule)
			require.NotNil(t, found, "%+v", all)
			require.Equal(t, c.rule != "bad-exit", code == 1, "%+v", all)
			require.Equal(t, name == "drops the prompt", strings.HasSuffix(found.Message, "`prompt` was sent before `session`: did the agent ignore `prompt`?"), found.Message)
		})
	}
}

func TestCheckFindsNoMistakesInTurnwire(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"hello", "/run ls", "/list"} {
		all, code := check(t, "", "--acp", "--strict", "--prompt", prompt, "--", binary, "acp", "--no-journal")
		require.Zero(t, code, "%+v", all)
	}
}

func TestCheckReadsFiles(t *testing.T) {
	t.Parallel()
	all, code := check(t, sayHello+sayDone, "-")
	require.Zero(t, code)
	require.Equal(t, 2, all[0].Summary.Lines)

	path := filepath.Join(t.TempDir(), "stream.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(sayHello+`{"type":"tool_end","toolCallId":"c","ok":true}`+"\n"+sayDone), 0o600))
	all, code = check(t, "", path)
	require.Zero(t, code, "a warning is no error")
	require.NotNil(t, rule(all, "end-without-start"))
	_, code = check(t, "", "--strict", path)
	require.Equal(t, 1, code)

	r := turnwire(t, "", "check", path)
	require.Contains(t, r.stdout, "warning[end-without-start]: tool_end without tool_start: unknown call \"c\"\n --> "+path+":2:33  $.toolCallId\n  |\n2 | {\"type\":\"tool_end\",\"toolCallId\":\"c\",\"ok\":true}\n  |                                 ^^^\n   = help: ")
	require.NotContains(t, r.stdout, "\x1b", "colours are for terminals")

	r = turnwire(t, "", "check", "--sarif", path)
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Rules []struct{ ID, HelpURI string }
				}
			}
			Results []struct{ RuleID, Level string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &log), r.stdout)
	require.Equal(t, "2.1.0", log.Version)
	require.Equal(t, "end-without-start", log.Runs[0].Results[0].RuleID)
	require.NotEmpty(t, log.Runs[0].Tool.Driver.Rules)

	r = turnwire(t, "", "check", "no-such-file")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stderr, "no such file")
}
