package terminal

import (
	"strings"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Keys of _meta by which agents send a command's output and exit status to clients that
// set terminal_output in their own _meta. They come from Zed.
const (
	outputMeta = "terminal_output"
	exitMeta   = "terminal_exit"
)

// maxPrinted limits how much of a command's output is kept, in bytes. Only the end is
// kept.
const maxPrinted = 256 << 10

// addOutput applies the command output in an update's _meta.
func (t *toolCall) addOutput(meta v1.Meta) {
	if output, ok := meta[outputMeta].(map[string]any); ok {
		data, _ := output["data"].(string)
		t.printed += data
		if excess := len(t.printed) - maxPrinted; excess > 0 {
			t.printed = strings.ToValidUTF8(t.printed[excess:], "")
		}
		t.rows = nil
	}
	if exit, ok := meta[exitMeta].(map[string]any); ok {
		if code, ok := exit["exit_code"].(float64); ok {
			t.exitCode = code
		}
	}
}

// printedRows returns the command's output, for calls that report it only in _meta.
func (t *toolCall) printedRows() []string {
	if t.printed == "" {
		return nil
	}
	return outputRows(t.printed)
}
