package partial

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Write writes the accepted text in the directories of o, through the client if it can. It
// returns an error if nothing was written, and writes nothing after ctx is done. Only the end
// of life interrupts a client that already writes, however long it takes, because its result
// must be known.
func Write(ctx, life context.Context, o agent.Options, a core.Accepted) error {
	if files, is := o.Editor.(*core.ClientFiles); is {
		o.Editor = steady{files, life}
	}
	return tools.WriteAccepted(ctx, o, agent.AcceptedText(a))
}

// steady is a file system whose writes are not interrupted before the end of life.
type steady struct {
	*core.ClientFiles

	life context.Context
}

// WriteTextFile implements [agent.FileSystem].
func (f steady) WriteTextFile(_ context.Context, path, text string) error {
	return f.WritePatiently(f.life, path, text)
}

// Message tells the agent about a change that was made in part.
func Message(cwd string, a core.Accepted) string {
	return "I accepted only a part of your change of " + name(cwd, a.Path) + ". That part is written already, although your call was rejected, " +
		"so read the file before you change it again. I refused the rest, so don't make it in another way:\n" +
		edit.Refused(a.Text, a.NewText)
}

// Title is the title of the tool call that shows what was written.
func Title(cwd string, a core.Accepted) string {
	return "Write the accepted part of " + name(cwd, a.Path)
}

// Call shows the user what was written, as a tool call.
func Call(id, cwd string, a core.Accepted) v1.Update {
	return &v1.ToolCall{ToolCallFields: v1.ToolCallFields{
		ToolCallID: id,
		Title:      Title(cwd, a),
		Kind:       v1.KindEdit,
		Status:     v1.StatusCompleted,
		Content:    v1.ToolContents{&v1.DiffItem{Path: a.Path, OldText: a.OldText, NewText: a.Text}},
		Locations:  []v1.Location{{Path: a.Path}},
	}}
}

// name returns the path of a file relative to the session's working directory, if it is there.
func name(cwd, path string) string {
	rel, err := filepath.Rel(cwd, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return strings.ReplaceAll(rel, "\n", " ")
}
