package wire

import (
	"encoding/base64"
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// denied is the content of the result of a call that the person refused
// (ToolResult.denied in packages/glue_core/lib/src/tool.dart). The interactive
// mode writes such a result down as "failed".
const denied = "User denied tool execution"

// callResult decodes AgentToolResult, whose members are those of "result" in
// the class.
func callResult(c *conversation, f *fields) {
	r := *f
	if o, ok := f.object("result"); ok {
		r = o
	}
	call := c.calls.end(r.text("call_id"), r.text("name"))
	e := &agent.ToolEnd{ToolCallID: call.id, ToolName: call.name, Result: r.body("content")}
	e.OK = succeeded(&r)
	status := r.text("status")
	e.Cancelled = !e.OK && (status == "denied" || status == "cancelled" || string(e.Result) == denied)
	e.Title = r.text("summary")
	e.DurationMS = r.milliseconds("duration_ms")
	e.ExitCode = r.optional("exit_code")
	metadata(e, &r)
	for _, part := range r.list("content_parts") {
		contentPart(e, part, f.err)
	}
	c.emit(e)
}

// succeeded is true only where nothing says otherwise: a result is a success
// by default.
func succeeded(r *fields) bool {
	ok, given := r.flag("success")
	status := r.text("status")
	return (ok || !given) && (status == "" || status == "completed")
}

// metadata takes what Glue's tools say of their result. The diff is shown, and
// so it is not repeated among the rest.
func metadata(e *agent.ToolEnd, r *fields) {
	var ignored error
	m, err := readFields(r.value("metadata"), &ignored)
	if err != nil {
		e.Structured = r.value("metadata") // of another shape than Glue's, but somebody's
		return
	}
	if e.ExitCode == nil {
		e.ExitCode = m.optional("exit_code")
	}
	if d, ok := m.object("diff"); ok && d.has("path") {
		diff := agent.Diff{Path: d.text("path"), NewText: d.text("new_text")}
		if isNew, _ := m.flag("is_new_file"); !isNew && d.has("old_text") {
			old := d.text("old_text")
			diff.OldText = &old
		}
		e.Diffs = []agent.Diff{diff}
	}
	e.Structured = without(m.raw, "diff")
}

// without returns an object without one of its members, nil where nothing else
// is in it.
func without(object []byte, member string) agent.Raw {
	out := agent.Raw{'{'}
	o := rawjson.Walk(object)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		if string(key) == member {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), key...), `":`...)
		out = append(out, value...)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, '}')
}

// contentPart adds a ContentPart: TextPart, ImagePart or ResourceLinkPart. Glue
// gives the model such parts instead of the content, and its content is their
// text: text parts replace it here too.
func contentPart(e *agent.ToolEnd, raw json.RawMessage, fault *error) {
	p, err := readFields(raw, fault)
	if err != nil {
		return // not what Glue calls a part; the content says what there is
	}
	mime := p.text("mime_type")
	switch {
	case p.has("uri"):
		e.Content = append(e.Content, agent.Content{
			Type: "resource_link", URI: p.text("uri"), Name: p.text("name"), Title: p.text("description"), MIMEType: mime,
		})
	case p.has("bytes") || p.has("data"):
		if mime == "" {
			mime = "image/png"
		}
		e.Content = append(e.Content, agent.Content{Type: "image", Data: imageData(&p), MIMEType: mime})
	case p.has("text"):
		e.Result = nil
		e.Content = append(e.Content, agent.Content{Type: "text", Text: p.text("text")})
	}
}

// imageData is base64: jsonEncode writes a Uint8List as a list of numbers,
// whoever knows better writes base64.
func imageData(p *fields) string {
	key := "bytes"
	if !p.has(key) {
		key = "data"
	}
	if s, err := rawjson.Parse(p.of[key]); err == nil {
		return s.String()
	}
	var numbers []uint16
	if err := exactjson.Unmarshal(p.of[key], &numbers); err != nil {
		p.fault(key, err)
		return ""
	}
	data := make([]byte, len(numbers))
	for i, n := range numbers {
		data[i] = byte(n)
	}
	return base64.StdEncoding.EncodeToString(data)
}
