package sim

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A part is an answer that accepts other texts than those that a request shows.
type part struct {
	valid bool // otherwise, the answer permits nothing
	text  string
	all   bool // it is the text that the request shows
}

// answerEdit answers a request for an edit. Most answers accept a part of it.
func (c *client) answerEdit(of *request, e *edit, s *Step) string {
	allow, reject := "", ""
	for _, o := range of.options {
		switch {
		case o.Kind == "allow_once" && allow == "":
			allow = o.ID
		case o.Kind == "reject_once" && reject == "":
			reject = o.ID
		}
	}
	some := 1 + s.B/8%(e.all()-1) // not none, and not all
	text := object{"path": e.path, "newText": e.text(some)}
	texts := []object{text}
	did := "accepts a part of " + of.subject
	switch s.C / 10 % 9 {
	case 4:
		text["newText"], did = e.text(e.all()), "accepts each line of "+of.subject
	case 5:
		text["newText"], did = e.text(0), "accepts nothing of "+of.subject
	case 6:
		text["path"], did = e.path+".bak", "accepts another file than that of "+of.subject
	case 7:
		allow, did = reject, "rejects a part of "+of.subject
	case 8:
		texts, did = append(texts, text), "accepts twice a part of "+of.subject
	}
	c.write(object{"id": json.RawMessage(of.id), "result": object{
		"outcome": object{"outcome": "selected", "optionId": allow}, "_meta": object{"turnwire.dev/accepted": texts},
	}})
	return did
}

// partOf returns what an answer accepts of an edit, or nil if it says nothing about that.
func (e *edit) partOf(answer *message, of *request) *part {
	var result struct {
		Outcome struct {
			OptionID string `json:"optionId"`
		} `json:"outcome"`
		Meta struct {
			Accepted []struct {
				Path    string `json:"path"`
				NewText string `json:"newText"`
			} `json:"turnwire.dev/accepted"`
		} `json:"_meta"`
	}
	if len(answer.Result) == 0 || exactjson.Unmarshal(answer.Result, &result) != nil || result.Meta.Accepted == nil {
		return nil
	}
	p := new(part)
	for _, o := range of.options {
		texts := result.Meta.Accepted
		if o.ID != result.Outcome.OptionID || o.Kind != "allow_once" || len(texts) != 1 || texts[0].Path != e.path || texts[0].NewText == e.text(0) && !e.isNew || !of.partial {
			continue
		}
		p.valid, p.text, p.all = true, texts[0].NewText, texts[0].NewText == e.text(e.all())
	}
	return p
}

// serveFile answers a request of the server to read or write an edit's file, as most editors
// do at once. It reports whether it did.
func (c *client) serveFile(m *message) bool {
	if m.Method != "fs/read_text_file" && m.Method != "fs/write_text_file" {
		return false
	}
	var e *edit
	c.world.mu.Lock()
	for _, one := range c.world.edits {
		if one.path == m.params.Path {
			e = one
		}
	}
	if e != nil {
		c.requests = c.requests[:len(c.requests)-1]
	}
	c.world.mu.Unlock()
	if e == nil {
		return false
	}
	o := object{"id": m.ID, "result": object{}}
	if m.Method == "fs/read_text_file" {
		text, err := e.read()
		if o["result"] = (object{"content": text}); err != nil || text == noFile {
			delete(o, "result")
			o["error"] = object{"code": -32603, "message": "no such file"}
		}
	} else if err := e.write(m.params.Content, 0); err != nil {
		c.world.fail("files can be written", err)
	}
	c.write(o)
	return true
}

// toldPart matches what Turnwire tells an agent about a change that was made in part.
var toldPart = regexp.MustCompile(`I accepted only a part of your change of (\S+)\. `)

// readPrompt reads the text of a prompt that begins a turn. The prompt may also continue the
// last turn, because it only tells the agent what was written.
func (c *actor) readPrompt(t *turn, text string) *turn {
	t.token = text
	if strings.Contains(text, "I accepted only a part") {
		for _, m := range toldPart.FindAllStringSubmatch(text, -1) {
			subject := strings.Replace(strings.TrimSuffix(m[1], ".txt"), "-", "/", 1)
			c.world.see(&event{kind: notified, actor: c, turn: turnOf(subject), subject: subject, reason: text})
		}
		if tokenIn(text) == "" {
			c.again++
			t.token, t.again = c.last[t.session], c.again
		}
	}
	c.last[t.session] = t.token
	return t
}

// editOf returns the edit that a request is about, or nil.
func (w *World) editOf(of *request) *edit {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.edits[of.subject]
}

// makeFiles creates the folder of edits, if an agent needs it.
func (w *World) makeFiles() {
	for i := range w.plan.Agents {
		if w.plan.Agents[i].Skills&edits != 0 {
			if err := os.MkdirAll(w.files, 0o700); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}
