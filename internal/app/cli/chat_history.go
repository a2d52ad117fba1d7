package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
)

const (
	// maxPrompts is how many prompts of earlier sessions a chat remembers.
	maxPrompts = 500
	// maxPromptsFile bounds the file with the prompts, in bytes. A larger file is rewritten
	// with the newest prompts.
	maxPromptsFile = 1 << 20
)

// A promptHistory is the file with the prompts of all chats: one JSON string per line,
// oldest first.
//
// Chats work without it, so it has no errors: what can't be read is skipped, and what can't
// be written is only remembered by the chat itself.
type promptHistory struct{ path string }

// openPromptHistory returns the history of prompts.
func openPromptHistory() (promptHistory, error) {
	state, err := config.StateFolder()
	return promptHistory{filepath.Join(state, "prompts.jsonl")}, err
}

// read returns the saved prompts. It skips damaged lines.
func (h promptHistory) read() (prompts []string) {
	text, err := atomicfile.Read(h.path, 2*maxPromptsFile)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(text) {
		var prompt string
		if exactjson.Unmarshal(line, &prompt) == nil && prompt != "" {
			prompts = append(prompts, prompt)
		}
	}
	prompts = prompts[max(0, len(prompts)-maxPrompts):]
	if len(text) > maxPromptsFile {
		_ = h.rewrite(prompts)
	}
	return prompts
}

// add saves a prompt. Several chats may do so at the same time.
func (h promptHistory) add(prompt string) {
	line, err := json.Marshal(prompt)
	if err != nil || len(line) > maxPromptsFile/maxPrompts {
		return
	}
	if os.MkdirAll(filepath.Dir(h.path), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(append(line, '\n'))
}

// rewrite replaces the file with the given prompts.
func (h promptHistory) rewrite(prompts []string) error {
	var text []byte
	for _, prompt := range prompts {
		line, err := json.Marshal(prompt)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	return atomicfile.Write(h.path, text)
}
