package wire

import (
	"encoding/base64"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// denied is the result of a call that the user refused (ToolResult.denied in
// packages/glue_core/lib/src/tool.dart). The interactive mode records such a result
// as "failed".
const denied = "User denied tool execution"

// callResult decodes AgentToolResult. In the class form, its members are in
// "result".
func callResult(c *conversation, l *dialect.Line) {
	r := l.Object("result")
	if r == nil {
		r = l.Fields
	}
	status := r.Key("status")
	e := agent.ToolEnd{
		// A result is a success by default.
		OK:         (r.Bool("success") || !r.Has("success")) && (status == "" || status == "completed"),
		Result:     r.Text("content"),
		DurationMS: milliseconds(r, "durationMs", "duration_ms"),
		ExitCode:   exitCode(r),
	}
	e.Title = r.String("summary")
	e.Cancelled = !e.OK && (status == "denied" || status == "cancelled" || string(rawjson.Body(e.Result)) == denied)
	l.Lenient(func() { addMetadata(&e, r) })
	addParts(l, &e, r)
	call := c.calls.end(r.Key("callId", "call_id"), r.Key("name"))
	e.ToolCallID, e.ToolName = call.id, call.name
	c.end(l, e)
}

// addMetadata adds the metadata of Glue's tools. The diff is shown, so it is not
// repeated in the remaining metadata.
func addMetadata(e *agent.ToolEnd, r *dialect.Fields) {
	m := r.Object("metadata")
	if m == nil {
		e.Structured = r.Raw("metadata") // not Glue's format, but possibly useful
		return
	}
	if e.ExitCode == nil {
		e.ExitCode = exitCode(m)
	}
	if d := m.Object("diff"); d.Has("path") {
		diff := agent.Diff{Path: d.String("path"), NewText: d.String("newText", "new_text")}
		if !m.Bool("isNewFile", "is_new_file") && d.Has("oldText", "old_text") {
			old := d.String("oldText", "old_text")
			diff.OldText = &old
		}
		e.Diffs = []agent.Diff{diff}
	}
	e.Structured = without(r.Raw("metadata"), "diff")
}

// without returns an object without one of its members, or nil if it has no other
// members.
func without(object agent.Raw, member string) agent.Raw {
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

// addParts adds the ContentParts: TextPart, ImagePart or ResourceLinkPart. Glue
// gives these parts to the model instead of the content, which is their text. So
// text parts replace the content here too. A list with any other element is ignored.
func addParts(l *dialect.Line, e *agent.ToolEnd, r *dialect.Fields) {
	for element := range rawjson.Elements(r.Raw("contentParts", "content_parts")) {
		if element[0] != '{' {
			return
		}
	}
	for p := range r.Objects("contentParts", "content_parts") {
		mime := p.Key("mimeType", "mime_type")
		switch {
		case p.Has("uri"):
			e.Content = append(e.Content, agent.Content{
				Type: "resource_link", URI: p.String("uri"), Name: p.String("name"), Title: p.String("description"), MIMEType: mime,
			})
		case p.Has("bytes", "data"):
			if mime == "" {
				mime = "image/png"
			}
			e.Content = append(e.Content, agent.Content{Type: "image", Data: imageData(l, p), MIMEType: mime})
		case p.Has("text"):
			e.Result = agent.Text{}
			e.Content = append(e.Content, agent.Content{Type: "text", Text: p.String("text")})
		}
	}
}

// imageData returns an image in base64. jsonEncode writes a Uint8List as a list of
// numbers; other serializers write base64.
func imageData(l *dialect.Line, part *dialect.Fields) string {
	raw := part.Raw("bytes", "data")
	if isString(raw) {
		return part.String("bytes", "data")
	}
	var numbers []uint16
	if err := exactjson.Unmarshal(raw, &numbers); err != nil {
		l.Fault(err)
		return ""
	}
	data := make([]byte, len(numbers))
	for i, n := range numbers {
		data[i] = byte(n)
	}
	return base64.StdEncoding.EncodeToString(data)
}
