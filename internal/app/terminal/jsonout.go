package terminal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// A jsonView writes each update as the agent sent it, one per line. Its stdout is for
// programs, so remarks go to stderr and the user can't be asked.
type jsonView struct {
	out    *bufio.Writer
	errOut io.Writer
	answer finalAnswer
}

func newJSONView(out, errOut io.Writer) *jsonView {
	return &jsonView{out: bufio.NewWriterSize(out, 16<<10), errOut: errOut}
}

func (j *jsonView) update(raw []byte, u v1.Update) {
	j.answer.update(u)
	warn(j.errOut, u)
	if bytes.ContainsAny(raw, "\r\n") {
		var line bytes.Buffer
		if json.Compact(&line, raw) != nil {
			return // can't happen: raw was decoded from JSON
		}
		raw = line.Bytes()
	}
	// Ignore errors here: flush returns the first one.
	_, _ = j.out.WriteString(visible.JSON(string(raw)))
	_ = j.out.WriteByte('\n')
}

func (j *jsonView) flush() error { return j.out.Flush() }

// end writes the result, which can't be confused with an update.
func (j *jsonView) end(r *report) error {
	r.Text = j.answer.text()
	line, err := json.Marshal(struct {
		Result *report `json:"result"`
	}{r})
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	_, _ = j.out.WriteString(visible.JSON(string(line)))
	_ = j.out.WriteByte('\n')
	return j.flush()
}

func (j *jsonView) say(text string) { _, _ = io.WriteString(j.errOut, text+"\n") }

func (*jsonView) wait(string)                            {}
func (*jsonView) mode(string)                            {}
func (*jsonView) tick()                                  {}
func (*jsonView) busy() bool                             { return false }
func (*jsonView) prompt(prompt)                          {}
func (*jsonView) pressed(prompt, key)                    {}
func (*jsonView) answered(prompt)                        {}
func (*jsonView) ready(bool)                             {}
func (*jsonView) subject(f *v1.ToolCallFields) *toolCall { t := &toolCall{}; t.merge(f); return t }
func (*jsonView) decided(*toolCall, bool)                {}
