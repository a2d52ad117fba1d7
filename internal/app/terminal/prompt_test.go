package terminal

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func option(id string, kind v1.PermissionOptionKind) v1.PermissionOption {
	return v1.PermissionOption{OptionID: id, Name: "Option " + id, Kind: kind}
}

func allOptions() []v1.PermissionOption {
	return []v1.PermissionOption{
		option("1", v1.AllowOnce), option("2", v1.AllowAlways), option("3", v1.RejectOnce), option("4", v1.RejectAlways),
	}
}

func confirmOf(options ...v1.PermissionOption) *confirm {
	return newConfirm(&permissionAsked{request: v1.RequestPermissionRequest{Options: options}}, &toolCall{})
}

func TestConfirmKeys(t *testing.T) {
	for name, c := range map[string]struct {
		key  key
		want verdict
		id   string
	}{
		"yes":           {key{char: 'y'}, decided, "1"},
		"always":        {key{char: 'a'}, decided, "2"},
		"no":            {key{char: 'n'}, decided, "3"},
		"never":         {key{char: 'N'}, decided, "4"},
		"another":       {key{char: 'Y'}, ignored, ""},
		"enter":         {key{code: keyEnter}, ignored, ""},
		"escape":        {key{code: keyEscape}, cancelTurn, ""},
		"q":             {key{char: 'q'}, ignored, ""},
		"interrupt":     {key{code: keyInterrupt}, cancelTurn, ""},
		"end of input":  {key{code: keyEnd}, decided, "3"},
		"no such digit": {key{char: '1'}, ignored, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := confirmOf(allOptions()...)
			require.Equal(t, c.want, p.press(c.key))
			require.Equal(t, c.id, p.answer().(v1.RequestPermissionResponse).Outcome.Selected())
		})
	}
}

func TestConfirmOffersWhatTheAgentOffers(t *testing.T) {
	p := confirmOf(option("no", v1.RejectOnce))
	require.Equal(t, ignored, p.press(key{char: 'y'}))
	require.Equal(t, unselected(), p.answer())
	require.Contains(t, p.rows(style{}, true)[0], "[n]o (Option no)")

	// If two choices have the same kind, or one has an unknown kind, each has a number
	// and its own name.
	p = confirmOf(option("a", v1.AllowOnce), option("b", v1.AllowOnce), option("c", "other"))
	require.Equal(t, []string{"  1. Option a  (yes, once)", "  2. Option b  (yes, once)", "  3. Option c", "Allow?  Esc cancels"}, p.rows(style{}, true))
	require.Equal(t, []string{"  –  Option a  (yes, once)", "  –  Option b  (yes, once)", "  –  Option c", "Allow?  Esc cancels"}, p.rows(style{}, false))
	require.Equal(t, ignored, p.press(key{char: 'y'}))
	require.Equal(t, ignored, p.press(key{char: '4'}))
	require.Equal(t, decided, p.press(key{char: '2'}))
	require.Equal(t, "b", p.answer().(v1.RequestPermissionResponse).Outcome.OptionID)
}

func TestConfirmShowsEverythingThatWouldBeDone(t *testing.T) {
	long := strings.Repeat("echo line\n", 100)
	for name, c := range map[string]struct {
		input string
		want  string
	}{
		"a command":             {`{"command":"rm -rf \u001b[8mx\rls"}`, `  $ rm -rf \x1b[8mx\rls`},
		"a list":                {`{"command":["sh","-c","rm 'x'"],"cwd":"/w"}`, "  $ sh -c 'rm '\\''x'\\'''\n  in /w"},
		"a script":              {`{"command":"` + strings.ReplaceAll(long, "\n", `\n`) + `"}`, strings.TrimSuffix("  $ "+strings.ReplaceAll(long, "\n", "\n    "), "\n    ")},
		"something of its own":  {`{"url":"http://x"}`, "  {\n    \"url\": \"http://x\"\n  }"},
		"nothing":               {``, ""},
		"what is not an object": {`[1]`, "  [\n    1\n  ]"},
	} {
		t.Run(name, func(t *testing.T) {
			tool := &toolCall{}
			tool.merge(&v1.ToolCallFields{Title: "Do\u202e it", RawInput: json.RawMessage(c.input)})
			rows := (&confirm{tool: tool}).header(style{})
			require.Equal(t, `? Do\u202e it`, rows[0])
			require.Equal(t, c.want, strings.Join(rows[1:], "\n"))
		})
	}
}

func formOf(schema string) *form {
	m := &questionAsked{}
	if err := json.Unmarshal([]byte(schema), &m.request.RequestedSchema); err != nil {
		panic(err)
	}
	return newForm(m)
}

// typed presses the keys of text, where \n is Enter and ^ is Backspace.
func typed(p prompt, text string) verdict {
	v := undecided
	for _, r := range text {
		k := key{char: r}
		switch r {
		case '\n':
			k = key{code: keyEnter}
		case '^':
			k = key{code: keyErase}
		}
		if v = p.press(k); v != undecided {
			return v
		}
	}
	return v
}

func TestFormAnswers(t *testing.T) {
	const choice = `{"properties":{"a":{"type":"string","enum":["Red","Green"]}},"required":["a"]}`
	const eleven = `{"properties":{"a":{"type":"string","enum":["1a","2a","3a","4a","5a","6a","7a","8a","9a","10a","11a"]}},"required":["a"]}`
	const several = `{"properties":{"a":{"type":"array","items":{"type":"string","enum":["Red","Green","Blue"]}}},"required":["a"]}`
	const line = `{"properties":{"a":{"type":"string"}},"required":["a"]}`
	for name, c := range map[string]struct{ schema, keys, want string }{
		"a digit is enough":      {choice, "2", `{"a":"Green"}`},
		"a name":                 {choice, "Red\n", `{"a":"Red"}`},
		"not a choice, then one": {choice, "7\n1", `{"a":"Red"}`},
		"a digit that may go on": {eleven, "1\n", `{"a":"1a"}`},
		"two digits":             {eleven, "11", `{"a":"11a"}`},
		"several":                {several, "3, 1 3\n", `{"a":["Blue","Red"]}`},
		"a line":                 {line, " Ann^na \n", `{"a":"Anna"}`},
		"nothing, then a line":   {line, "\nx\n", `{"a":"x"}`},
		"a yes":                  {`{"properties":{"a":{"type":"boolean"}}}`, "1", `{"a":true}`},
		"an integer at last":     {`{"properties":{"a":{"type":"integer"}}}`, "x\n42\n", `{"a":42}`},
		"a number":               {`{"properties":{"a":{"type":"number"}}}`, "NaN\n1.5\n", `{"a":1.5}`},
		"what may be left out":   {`{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}`, "x\n\n", `{"a":"x"}`},
		"the order of the wire":  {`{"properties":{"z":{"type":"string"},"a":{"type":"string"}},"required":["a"]}`, "x\ny\n", `{"z":"x","a":"y"}`},
		"titled choices":         {`{"properties":{"a":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}}}`, "2", `{"a":"g"}`},
		"several titled choices": {`{"properties":{"a":{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}}}}`, "2,1\n", `{"a":["g","r"]}`},
		"a default is taken":     {`{"properties":{"a":{"type":"string","default":"x"},"n":{"type":"integer","default":3},"b":{"type":"boolean","default":false}},"required":["a","n"]}`, "\n\n\n", `{"a":"x","n":3,"b":false}`},
		"a default is changed":   {`{"properties":{"a":{"type":"string","default":"x"}}}`, "y\n", `{"a":"y"}`},
		"a secret as it is":      {`{"properties":{"a":{"type":"string","default":"seen","_meta":{"turnwire.dev/secret":true}}},"required":["a"]}`, "\n s \n", `{"a":" s "}`},
		"no field at all":        {`{}`, "\n", `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			p := formOf(c.schema)
			require.Equal(t, decided, typed(p, c.keys))
			r := p.answer().(v1.ElicitationResponse)
			require.Equal(t, v1.ElicitAccept, r.Action)
			got, err := json.Marshal(r.Content)
			require.NoError(t, err)
			if string(got) == "null" {
				got = []byte("{}")
			}
			require.JSONEq(t, c.want, string(got))
		})
	}
}

func TestASecretIsNotShown(t *testing.T) {
	p := formOf(`{"properties":{"a":{"type":"string","title":"Key","default":"old","_meta":{"turnwire.dev/secret":true}},"b":{"type":"string"}}}`)
	require.Equal(t, undecided, typed(p, "hidden"))
	require.Equal(t, "› ••••••", p.rows(style{}, true)[1])
	typed(p, "\nplain\n")
	require.Equal(t, "•••, plain", p.outcome(style{}))
}

func TestAFieldShowsWhatCanBeChosen(t *testing.T) {
	p := formOf(`{"properties":{"a":{"type":"string","title":"Colour","description":"Of the roof","default":"g","oneOf":[{"const":"r","title":"Red","description":"as tiles"},{"const":"g","title":"Green\u001b"}]},"b":{"type":"string"}}}`)
	require.Equal(t, []string{"Colour", "Of the roof", "  1. Red  as tiles", "  2. Green", "›   Enter uses Green"}, p.rows(style{}, true))
	require.Equal(t, undecided, typed(p, "\n"))
	typed(p, "x\n")
	require.Equal(t, "Green, x", p.outcome(style{}))
}

func TestAPageIsOpenedByTheUser(t *testing.T) {
	page := &questionAsked{request: v1.ElicitationRequest{Mode: v1.ElicitURL, Message: "Log in", URL: "https://tea.example/\u202elogin"}}
	p := newForm(page)
	require.Equal(t, []string{"? Log in", `  https://tea.example/\u202elogin`}, p.header(style{}))
	require.Equal(t, decided, p.press(key{code: keyEnter}))
	require.Equal(t, v1.ElicitationResponse{Action: v1.ElicitAccept}, p.answer())
	p = newForm(page)
	require.Equal(t, decided, p.press(key{code: keyEscape}))
	require.Equal(t, v1.ElicitationResponse{Action: v1.ElicitDecline}, p.answer())
}

func TestFormCanBeDeclinedAndLeft(t *testing.T) {
	const line = `{"properties":{"a":{"type":"string"}},"required":["a"]}`
	p := formOf(line)
	require.Equal(t, decided, p.press(key{code: keyEscape}))
	require.Equal(t, v1.ElicitationResponse{Action: v1.ElicitDecline}, p.answer())
	p = formOf(line)
	require.Equal(t, undecided, typed(p, "q"), "every letter may be part of an answer")
	require.Equal(t, cancelTurn, p.press(key{code: keyInterrupt}))
	require.Equal(t, v1.ElicitationResponse{Action: v1.ElicitCancel}, p.answer())
}

func TestEditingALine(t *testing.T) {
	text := []rune("one two  ")
	require.Equal(t, "one ", string(edit(text, key{code: keyEraseWord})))
	require.Empty(t, edit(text, key{code: keyEraseAll}))
	require.Empty(t, edit(nil, key{code: keyErase}))
}

// The text that the user reads to decide is not output of the call, and the reading time
// is not part of the call's duration.
func TestACallBeginsWhenItIsDecided(t *testing.T) {
	now := time.Unix(0, 0)
	d, s := newDisplay(60)
	view := newTranscript(style{live: true}, s, func() time.Time { return now }, liveRows)
	tool := view.subject(&v1.ToolCallFields{
		ToolCallID: "c", Title: "Run ls", RawInput: json.RawMessage(`{"command":"ls"}`),
		Content: v1.ToolContents{v1.TextItem(rawjson.NewText("```\nls\n```")), v1.TextItem(rawjson.NewText("It lists\u202e files."))},
	})
	p := newConfirm(&permissionAsked{}, tool)
	view.prompt(p)
	require.NoError(t, view.flush())
	require.Equal(t, "? Run ls\n  $ ls\n  It lists\\u202e files.\nAllow?  Esc cancels", d.text())
	now = now.Add(time.Minute)
	view.decided(tool, true)
	view.answered(p)
	now = now.Add(time.Second)
	require.NoError(t, view.flush())
	require.Equal(t, "⠋ Run ls 1.0 s", d.text()[strings.LastIndex(d.text(), "\n")+1:])
	view.toolUpdate(&v1.ToolCallFields{ToolCallID: "c", Status: v1.StatusCompleted})
	require.NoError(t, view.end(&report{StopReason: v1.StopCancelled}))
	require.Contains(t, d.text(), "✓ Run ls (1.0 s)\n\n■ cancelled")
}
