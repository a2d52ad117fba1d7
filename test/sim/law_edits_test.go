package sim

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// editsLaw: of a change that an agent makes by itself, Turnwire writes exactly the part that a
// client accepted, if the file is the one that the client saw. It tells the agent that once,
// and what was refused.
type editsLaw struct {
	world    *World
	told     map[string]bool    // by request
	named    map[string]*edit   // by the id that clients know: the calls that name the file; a sloppy agent may use an id twice
	answered map[string]bool    // by request: a client has answered it
	sure     map[string]*accept // by request: the answers that must have an effect at the end of the step
	unsure   bool               // something ends a turn meanwhile
	closed   map[string]bool    // the turns whose session a client has closed
	misended map[string]bool    // by call: its agent has ended another one with the same id
}

// An accept is a client's answer that accepts a part.
type accept struct {
	by   *client
	edit *edit
	text string
}

func newEdits() law {
	return &editsLaw{
		told: make(map[string]bool), named: make(map[string]*edit), answered: make(map[string]bool), sure: make(map[string]*accept),
		misended: make(map[string]bool), closed: make(map[string]bool),
	}
}

func (*editsLaw) name() string { return "what is written is what was accepted" }

func (l *editsLaw) see(w *World, e *event) error {
	l.world = w
	l.noteCall(w, e)
	switch {
	case e.kind == notified:
		return l.notified(w, e)
	case e.kind == misended:
		l.misended[e.subject] = true
	case e.kind == shown && e.request != nil:
		of, in := w.edits[e.request.subject], w.session(e.session)
		if of != nil && !e.request.partial && in != nil && in.running == of.turn && !l.closed[of.turn] { // between turns, a change is accepted as a whole
			return fmt.Errorf("%s can't accept a part of %s", e.client.name, e.request.subject)
		}
	case e.kind == shown && e.message.params.Update.Status == "completed":
		of := l.named[e.message.params.Update.ToolCallID]
		v := e.client.views[e.session]
		if of != nil && !l.misended[of.subject] && of.writes && e.client.agent.Kind == nativeAgent && of.wrote && v != nil && !v.unclear && !e.client.troubled && !strings.Contains(e.message.line, string(encode(of.after()))) {
			return fmt.Errorf("%s is not shown what was written: %s", e.client.name, e.message.line)
		}
	case e.kind == sent && e.request != nil:
		l.accept(w, e)
	case e.kind == confirmed:
		l.answered[e.subject] = true
		delete(l.sure, e.subject) // of two answers at the same time, either may be first
	case e.kind == decided, e.kind == asked:
		l.answered[e.subject] = e.kind == decided
	case e.kind == sent && e.message.Method == "session/close":
		l.unsure = true
		for turn, of := range w.prompted {
			l.closed[turn] = l.closed[turn] || of == e.session
		}
	case e.kind == sent && e.message.Method == "session/detach": // its requests are withdrawn
		l.unsure = true
	case e.kind == sent && (slices.Contains(cancelling, e.message.Method) || e.message.Method == "$/cancel_request"), e.kind == stopped, e.kind == cancelled, e.kind == died:
		l.unsure = true // it is simpler than to find out which turn ends
	case e.kind == shown && e.call != nil && e.message.result.StopReason == "end_turn" && !w.shared[e.turn]:
		for _, subject := range sortedKeys(w.edits) {
			if of := w.edits[subject]; of.turn == e.turn && len(of.parts) > 0 && l.recorded(w, subject) > 0 && !l.told[subject] {
				return fmt.Errorf("the turn %s has ended, but its agent does not know that a part of %s was written", e.turn, subject)
			}
		}
	}
	return nil
}

// noteCall records the call of an edit.
func (l *editsLaw) noteCall(w *World, e *event) {
	if e.kind != shown {
		return
	}
	id := cmp.Or(e.message.params.Update.ToolCallID, e.message.params.ToolCall.ToolCallID)
	if of := w.edits[original(id)]; of != nil && strings.Contains(e.message.line, of.name()) {
		l.named[id] = of
	}
}

// accept records an answer that accepts a part.
func (l *editsLaw) accept(w *World, e *event) {
	subject := e.request.subject
	of := w.edits[subject]
	if of == nil {
		return
	}
	s := w.session(e.session)
	if p := e.part; p != nil && p.valid && !p.all && !e.client.watches(e.session) && !e.request.withdrawn {
		of.parts = append(of.parts, of.file(p.text))
		if !l.answered[subject] && of.other == "" && s != nil && s.running == of.turn && !s.actor.server.killed && !e.client.troubled {
			l.sure[subject] = &accept{e.client, of, of.file(p.text)}
		}
	}
	if l.answered[subject] {
		delete(l.sure, subject) // another answer may arrive first
	}
	l.answered[subject] = true
}

// notified checks what an agent is told.
func (l *editsLaw) notified(w *World, e *event) error {
	of := w.edits[e.subject]
	if of == nil || len(of.parts) == 0 {
		return fmt.Errorf("%s is told that a part of %s was accepted, which nobody did", e.actor.agent.Name, e.subject)
	}
	if l.told[e.subject] {
		return fmt.Errorf("%s is told twice that a part of %s was accepted", e.actor.agent.Name, e.subject)
	}
	l.told[e.subject] = true
	text, err := of.read()
	if err != nil {
		return err
	}
	for i := range of.lines {
		change := fmt.Sprintf("%s becomes %d\n", of.subject, i)
		if strings.Contains(text, change) == strings.Contains(e.reason, "+"+change) {
			return fmt.Errorf("%s is not told what was refused of %s: %s", e.actor.agent.Name, e.subject, e.reason)
		}
	}
	return nil
}

// overdue implements [immediate]. The decision is recorded before the part is written, so a
// slow disk delays it.
func (l *editsLaw) overdue() error {
	if l.unsure {
		l.unsure = false
		clear(l.sure)
		return nil
	}
	if len(l.sure) == 0 || !l.world.isPrompt() {
		return nil
	}
	defer clear(l.sure)
	for _, subject := range sortedKeys(l.sure) {
		a := l.sure[subject]
		if !a.by.isHeard() || !l.world.isRunning(a.by.server) || a.by.gone || a.by.leaving || a.by.troubled {
			continue
		}
		text, err := a.edit.read()
		if err != nil {
			return err
		}
		if text != a.text {
			return fmt.Errorf("%s has accepted a part of %s, which was not written: %q", a.by.name, subject, text)
		}
	}
	return nil
}

// recorded returns how often it was recorded that a part of a call was accepted.
func (*editsLaw) recorded(w *World, subject string) (n int) {
	for _, d := range w.audited {
		if original(d.Call) == subject && d.Partial {
			n++
		}
	}
	return n
}

func (l *editsLaw) end(w *World) error {
	files := make(map[string]bool)
	for _, subject := range sortedKeys(w.edits) {
		e := w.edits[subject]
		files[e.name()] = true
		text, err := e.read()
		partial := slices.Contains(e.parts, text)
		switch {
		case err != nil:
			return err
		case e.wrote && text != e.after():
			return fmt.Errorf("the agent's text of %s was replaced: %q", subject, text)
		case !e.wrote && !partial && text != e.before():
			return fmt.Errorf("nobody has accepted this text of %s: %q", subject, text)
		case l.recorded(w, subject) > 0 != partial && !w.wasKilled():
			return fmt.Errorf("what was recorded about %s is not what was written: %q", subject, text)
		case l.told[subject] && !partial:
			return fmt.Errorf("the agent was told that a part of %s was written, but it was not", subject)
		}
	}
	return l.leftFiles(w, files)
}

// leftFiles returns an error if there are other files than those of edits.
func (*editsLaw) leftFiles(w *World, files map[string]bool) error {
	if len(files) == 0 {
		return nil
	}
	list, err := os.ReadDir(w.files)
	for _, f := range list {
		if !files[f.Name()] {
			return fmt.Errorf("the file %s is left", f.Name())
		}
	}
	return err
}

// wasKilled reports whether a server was killed, of which no decision is known then.
func (w *World) wasKilled() bool {
	return slices.ContainsFunc(w.old, func(s *server) bool { return s.killed })
}
