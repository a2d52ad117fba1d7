package control

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// Claude Code runs a permitted call with the arguments in the answer, so the user can accept
// a part of a change: the arguments then make that part.

// notInPart is the message for Claude Code if no arguments make the part.
const notInPart = "The user accepted only a part of this change, and this call can't make that part. Nothing was written."

// told is the message for Claude Code otherwise, with the file's path and the refused part.
const told = "I accepted only a part of your change of %s, and only that part is written. I refused the rest, so don't make it in another way:\n%s"

// A write is the arguments of Write or Edit.
type write struct {
	Path    string  `json:"file_path"`
	Content *string `json:"content"`
	Old     *string `json:"old_string"`
	New     *string `json:"new_string"`
	All     bool    `json:"replace_all"`
}

// writeOf returns the arguments of a call, if they can be changed so that it makes a part of
// its change.
func writeOf(tool string, input []byte) (w write, ok bool) {
	if exactjson.Unmarshal(input, &w) != nil || w.Path == "" {
		return w, false
	}
	switch tool {
	case "Write":
		return w, w.Content != nil
	case "Edit":
		return w, w.Old != nil && w.New != nil && !w.All
	}
	return w, false
}

// inPart returns the arguments with which the call makes the accepted part, and what to tell
// Claude Code about the rest. If accepted is nil, they are the call's own, and there is
// nothing to tell.
func (r *request) inPart(accepted []agent.AcceptedText) (input agent.Raw, refused string, ok bool) {
	if accepted == nil {
		return r.input, "", true
	}
	w, ok := writeOf(r.tool, r.input)
	if !r.partial || !ok || len(accepted) != 1 {
		return nil, "", false
	}
	a, members := accepted[0], make(map[string]agent.Raw)
	if exactjson.Unmarshal(r.input, &members) != nil {
		return nil, "", false
	}
	if r.tool == "Write" {
		var text string
		text, ok = replaceOnly(*w.Content, a.NewText, a.Text)
		members["content"] = rawmsg.Quote(text)
	} else {
		var before, after string
		before, after, ok = w.edit(a)
		members["old_string"], members["new_string"] = rawmsg.Quote(before), rawmsg.Quote(after)
	}
	if !ok {
		return nil, "", false
	}
	return rawmsg.Encode(members), fmt.Sprintf(told, w.Path, edit.Refused(a.Text, a.NewText)), true
}

// edit returns the texts with which Edit makes the accepted part. The diff may show the whole
// file or a piece of it, so it has the same text before and after the replaced one.
func (w *write) edit(a agent.AcceptedText) (before, after string, ok bool) {
	old := ""
	if a.OldText != nil {
		old = unix(*a.OldText)
	}
	at := strings.Index(old, *w.Old)
	if at < 0 || at != strings.LastIndex(old, *w.Old) || *w.Old == "" && old != "" {
		return "", "", false
	}
	head, tail, text := old[:at], old[at+len(*w.Old):], unix(a.Text)
	after, starts := strings.CutPrefix(text, head)
	after, ends := strings.CutSuffix(after, tail)
	if !starts || !ends || head+*w.New+tail != unix(a.NewText) {
		return "", "", false
	}
	before = *w.Old
	// Without a new text, Edit would remove the line's end too.
	if after == "" && strings.HasPrefix(tail, "\n") && !strings.HasSuffix(before, "\n") {
		before, after = before+"\n", "\n"
	}
	return before, after, true
}

// unix returns text with the line ends that Edit's arguments have, whatever the file's are.
func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// replaceOnly replaces the only occurrence of a text.
func replaceOnly(in, old, text string) (string, bool) {
	at := strings.Index(in, old)
	if at < 0 || at != strings.LastIndex(in, old) || old == "" {
		return "", false
	}
	return in[:at] + text + in[at+len(old):], true
}
