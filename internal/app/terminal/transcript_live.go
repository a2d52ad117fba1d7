package terminal

import (
	"fmt"
	"time"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// The live region must be smaller than any usual terminal, because rows that scroll out
// of it can't be redrawn.
const (
	maxLiveTools  = 4
	maxLiveOutput = 4
)

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// busy reports whether a spinner is shown, which must be redrawn regularly.
func (t *transcript) busy() bool { return t.st.live && (len(t.running) > 0 || t.remark != "") }

// prompt opens a prompt.
func (t *transcript) prompt(p prompt) {
	t.open, t.answers = p, false
	if t.asked.IsZero() {
		t.asked = t.now()
	}
	t.begin(sectionTool)
	t.out.print(p.header(t.st)...)
}

// ready marks the keys that answer the open prompt. Without redrawing, it prints them.
func (t *transcript) ready(ready bool) {
	if ready && !t.answers && t.open != nil && !t.st.live {
		t.out.print(t.open.rows(t.st, true)...)
	}
	t.answers = ready
}

// pressed shows the effect of a key on a prompt, if rows aren't redrawn.
func (t *transcript) pressed(p prompt, k key) {
	if !t.st.live && k.code == keyEnter {
		t.out.print(p.rows(t.st, true)...)
	}
}

// answered shows the answer to a prompt.
func (t *transcript) answered(p prompt) {
	if t.open == p {
		t.open = nil
		t.waited += t.now().Sub(t.asked)
		t.asked = time.Time{}
	}
	if outcome := p.outcome(t.st); outcome != "" {
		t.begin(sectionTool)
		t.out.print("  " + t.st.dim("→ ") + outcome)
	}
}

func (t *transcript) liveRows() []string {
	if !t.st.live {
		return nil
	}
	var rows []string
	turn := t.st.accent(spinner[t.frame%len(spinner)])
	asked := t.subjectOfOpen()
	shown := 0
	for _, tool := range t.running {
		if tool == asked {
			continue // the open question shows this call
		}
		if shown++; shown > maxLiveTools {
			continue
		}
		rows = append(rows, turn+" "+tool.caption()+t.st.dim(" "+duration(t.now().Sub(tool.began))))
		if len(t.running) == 1 && tool.Kind != v1.KindRead {
			output := tool.text()
			for _, row := range output[max(0, len(output)-maxLiveOutput):] {
				rows = append(rows, t.st.dim("  │ "+row))
			}
		}
	}
	if shown > maxLiveTools {
		rows = append(rows, t.st.dim(fmt.Sprintf("  … and %d more", shown-maxLiveTools)))
	}
	if t.open != nil {
		rows = append(rows, t.open.rows(t.st, t.answers)...)
	}
	if t.remark != "" {
		rows = append(rows, turn+" "+t.st.dim(t.remark))
	}
	return rows
}

// subjectOfOpen returns the call that the open prompt asks about, or nil.
func (t *transcript) subjectOfOpen() *toolCall {
	if c, ok := t.open.(*confirm); ok {
		return c.tool
	}
	return nil
}
