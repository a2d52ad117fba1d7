package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

// A toolStep runs one of the tools.
type toolStep struct {
	name string
	args any
	// shows means that the user wants to see the result, as a code block in a language.
	shows    bool
	language string
}

func (s toolStep) run(t *turn) outcome {
	r := t.session.tools.Use(t, s.name, s.args)
	if r.OK && s.shows {
		t.sayBlock(r.Text, s.language)
	}
	return outcomeOf(r)
}

// outcomeOf returns the outcome of a call.
func outcomeOf(r tools.Result) outcome {
	switch {
	case r.OK:
		return succeeded
	case r.Refused:
		return refused
	}
	return failed
}

// sayBlock says text as a code block.
func (t *turn) sayBlock(text, language string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	t.sayWhole(fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n")
}

// readStep reads a file.
func readStep(path string) toolStep {
	return toolStep{name: tools.ReadFile, args: tools.ReadArgs{Path: path}, shows: true, language: infoString(path)}
}

// infoString returns the language of a code block with a file's text: the file name's
// extension, if that is a plain word.
func infoString(path string) string {
	extension := strings.TrimPrefix(filepath.Ext(path), ".")
	for _, r := range extension {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	return extension
}

// listStep lists a directory.
func listStep(path string) toolStep {
	return toolStep{name: tools.ListFiles, args: tools.ListArgs{Path: path}, shows: true}
}

// searchStep searches the text files of the workspace.
func searchStep(pattern, glob string) toolStep {
	return toolStep{name: tools.Search, args: tools.SearchArgs{Pattern: pattern, Glob: glob}, shows: true}
}

// writeStep replaces the content of a file.
func writeStep(path, text string) toolStep {
	return toolStep{name: tools.WriteFile, args: tools.WriteArgs{Path: path, Content: &text}}
}

// appendStep adds text as a line at the end of a file.
func appendStep(path, text string) toolStep {
	return toolStep{name: tools.AppendFile, args: tools.AppendArgs{Path: path, Text: text}}
}

// editStep replaces the only occurrence of a text in a file.
func editStep(path, before, after string) toolStep {
	return toolStep{name: tools.EditFile, args: tools.EditArgs{Path: path, Edits: []tools.Edit{{OldText: before, NewText: after}}}}
}

// runStep runs a shell command.
func runStep(command string) toolStep {
	return toolStep{name: tools.RunCommand, args: tools.RunArgs{Command: command}}
}

// askStep asks the user a question.
type askStep struct {
	question string
	choices  []string
}

func (s askStep) run(t *turn) outcome {
	r := t.session.tools.Use(t, tools.AskUser, tools.AskArgs{Question: s.question, Options: s.choices})
	if !r.OK {
		t.sayText("You did not answer.")
		return refused
	}
	t.sayText("You answered: " + r.Text)
	return succeeded
}

// waitStep waits for some seconds.
type waitStep struct{ seconds float64 }

type waitArgs struct {
	Seconds float64 `json:"seconds"`
}

func (s waitStep) run(t *turn) outcome {
	view := agent.View{Title: fmt.Sprintf("Wait %v s", s.seconds), Kind: "other"}
	return outcomeOf(t.session.tools.Custom(t, "wait", waitArgs{s.seconds}, view, func(ctx context.Context) (string, error) {
		timer := time.NewTimer(time.Duration(s.seconds * float64(time.Second)))
		defer timer.Stop()
		select {
		case <-timer.C:
			return fmt.Sprintf("Waited %v s.", s.seconds), nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}))
}

// failStep shows a tool that fails.
type failStep struct{ message string }

type failArgs struct {
	Message string `json:"message"`
}

func (s failStep) run(t *turn) outcome {
	return outcomeOf(t.session.tools.Custom(t, "fail", failArgs{s.message}, agent.View{Title: "Fail", Kind: "other"},
		func(context.Context) (string, error) { return "", errors.New(s.message) }))
}
