// Package stacktrace removes stack traces from error messages that are shown to users.
package stacktrace

import (
	"strings"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// maxMessage limits an error message, in bytes.
const maxMessage = 2000

// start matches the first line of a Dart, Python, Go, Rust or JavaScript stack trace.
var start = lazyregexp.New(`(?m)^\s*(?:#0\s|Traceback \(most recent|goroutine \d+ |stack backtrace)|\n\s+at `)

// Cut returns message without a stack trace at its end, and truncates it if it is long.
func Cut(message string) string {
	if at := start().FindStringIndex(message); at != nil {
		message = message[:at[0]]
	}
	message = strings.TrimSpace(message)
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + " …"
}
