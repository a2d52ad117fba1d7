package terminal

import (
	"strings"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Keys of _meta by which agents say what a command has printed and how it has
// ended, to clients that have said terminal_output in theirs. They come from
// Zed.
const (
	outputMeta = "terminal_output"
	exitMeta   = "terminal_exit"
)

// maxPrinted bounds what is kept of what a command has printed, in bytes: its
// end.
const maxPrinted = 256 << 10

// hear takes what the _meta of an update says of a command.
func (t *toolCall) hear(meta v1.Meta) {
	if output, ok := meta[outputMeta].(map[string]any); ok {
		data, _ := output["data"].(string)
		t.printed += data
		if over := len(t.printed) - maxPrinted; over > 0 {
			t.printed = strings.ToValidUTF8(t.printed[over:], "")
		}
		t.rows = nil
	}
	if exit, ok := meta[exitMeta].(map[string]any); ok {
		if code, ok := exit["exit_code"].(float64); ok {
			t.exitCode = code
		}
	}
}

// printedRows is what the command has printed, where the call says it in no
// other way.
func (t *toolCall) printedRows() []string {
	if t.printed == "" {
		return nil
	}
	return outputRows(t.printed)
}
