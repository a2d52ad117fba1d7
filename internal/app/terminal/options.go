package terminal

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// The exit codes of a run.
const (
	ExitDone      = 0   // the turn ended
	ExitError     = 1   // the turn failed or could not start
	ExitStopped   = 3   // the agent refused, or a limit was reached
	ExitCancelled = 130 // the user cancelled; the code that shells use for an interrupt
)

// Options say what to run and how to show it.
type Options struct {
	Prompt string
	Cwd    string // absolute
	// Input is text that the prompt refers to, such as piped input.
	Input string
	// Attach and Images are files to attach to the prompt.
	Attach, Images []string

	// Resume is the id of the session to resume. If it is empty, Continue resumes the
	// session in Cwd that changed last. Otherwise a new session starts.
	Resume   string
	Continue bool

	// Follow is the id of a session that others use. It is shown until the user leaves;
	// no prompt is sent. With Observe, requests aren't answered either.
	Follow  string
	Observe bool

	Stdin  io.Reader // keys and answers; may be nil
	Stdout io.Writer
	Stderr io.Writer

	// Terminal is set if Stdout is a terminal, and Interactive if Stdin is one too.
	Terminal, Interactive bool
	// Dumb is set if the terminal doesn't support control sequences. The user is still
	// asked, and answers with lines.
	Dumb   bool
	Colour bool
	// Width returns the terminal's width in columns. It is called each time the width is
	// needed. Nil means 80.
	Width func() int

	Yes  bool // allow every tool once
	Deny bool // refuse every tool
	// Answers are used for questions, one after the other, before the user is asked.
	Answers []string
	JSON    bool // write each update as it arrives, one per line, and a result
	Quiet   bool // show only the answer
	Plain   bool // show the Markdown source
	// Timeout cancels the turn after this time; 0 means never.
	Timeout time.Duration

	// TerminalOutput asks the agent to send the output of commands in _meta, as native
	// ACP agents do.
	TerminalOutput bool

	// Opened is called when the session is open; it may be nil.
	Opened func(session string)
	// Leave is called when the user leaves a chat for another session in Cwd, or for a
	// new one if session is "". draft is the text to edit there. If Leave is nil, users
	// can't switch sessions.
	Leave func(session, draft string)
	Draft string // the text in the input at the start of a chat
	// Lasting is set if a turn continues when the user leaves the chat.
	Lasting bool
	Chat    ChatOptions

	// Interrupts delivers interrupts from outside the terminal, such as signals. The
	// first cancels the turn, and the second ends the run. If it is nil, Run listens for
	// the signal itself.
	Interrupts <-chan os.Signal
	Log        *slog.Logger // nil means no log
}

// ChatOptions are options that only [Chat] uses. The functions run outside the loop.
type ChatOptions struct {
	// Mouse makes the wheel scroll. Text can then only be selected as the terminal allows
	// it, often with Shift.
	Mouse bool
	// Earlier are prompts of earlier sessions, oldest first. Remember saves a prompt; it may
	// be nil.
	Earlier  []string
	Remember func(prompt string)
	// Shell runs a command of the user in Cwd, and returns its output and its exit code. It
	// ends the command if ctx is done. If it is nil, the user can't run commands.
	Shell func(ctx context.Context, command string) (output string, code int, err error)
	// Export writes a session to a file and returns the file's name. If it is nil, sessions
	// can't be exported.
	Export func(session string) (file string, err error)
	// Editor is the command that edits a file. If it is empty, there is no editor.
	Editor []string
	// Again returns the command that continues a session, for the user; nil if unknown.
	Again func(session string) string
	// Notification is the escape sequence's kind for desktop notifications.
	Notification Notification
}

// ForFiles returns options for a process's standard files. It checks whether they are
// terminals, and what those can display.
func ForFiles(stdin, stdout, stderr *os.File, getenv func(string) string) Options {
	terminal := isTerminal(stdout)
	dumb := getenv("TERM") == "dumb"
	return Options{
		Stdin:       stdin,
		Stdout:      stdout,
		Stderr:      stderr,
		Terminal:    terminal,
		Interactive: terminal && isTerminal(stdin),
		Dumb:        dumb,
		Colour:      terminal && !dumb && getenv("NO_COLOR") == "",
		Width: func() int {
			width, _, err := term.GetSize(int(stdout.Fd()))
			if err != nil {
				return 80
			}
			return width
		},
	}
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// live reports whether rows can be redrawn.
func (o *Options) live() bool { return (o.Terminal || o.Interactive) && !o.Dumb && !o.JSON && !o.Quiet }

// asks reports whether the user can be asked.
func (o *Options) interactive() bool { return o.Interactive && !o.JSON && !o.Quiet && o.Stdin != nil }
