package terminal

import (
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
	ExitError     = 1   // the turn failed, or could not start
	ExitStopped   = 3   // the agent refused, or a limit was reached
	ExitCancelled = 130 // the user cancelled, as a shell reports an interrupt
)

// Options say what to run and how to show it.
type Options struct {
	Prompt string
	Cwd    string // absolute
	// Input is a text that the prompt is about, such as what was piped in.
	Input string
	// Attach are files that the prompt is about, and Images are shown with it.
	Attach, Images []string

	// Resume is the id of the session that goes on. Without it, Continue takes
	// the one in Cwd that was changed last. Otherwise a new one begins.
	Resume   string
	Continue bool

	// Follow is the id of a session that others use. It is shown until the user
	// leaves, and nothing is prompted. With Observe nothing is answered either.
	Follow  string
	Observe bool

	Stdin  io.Reader // keys and answers; nil if there are none
	Stdout io.Writer
	Stderr io.Writer

	// Terminal says that Stdout is a terminal, and Interactive that Stdin is one,
	// too.
	Terminal, Interactive bool
	// Dumb says that the terminal knows no control sequences. The user is still
	// asked, and answers with lines.
	Dumb   bool
	Colour bool
	// Width returns the terminal's width in columns. It is called each time the
	// width is needed. Nil means 80.
	Width func() int

	Yes  bool // allow every tool once
	Deny bool // refuse every tool
	// Answers are given to questions, one after the other, before the user is
	// asked.
	Answers []string
	JSON    bool // write each update as it arrives, one a line, and a result
	Quiet   bool // show the answer alone
	Plain   bool // show Markdown as it is
	// Timeout cancels the turn when it has taken so long; 0 means never.
	Timeout time.Duration

	// TerminalOutput asks the agent to say in _meta what commands print, as
	// agents do that speak the protocol themselves.
	TerminalOutput bool

	// Opened is called when the session is there; it may be nil.
	Opened func(session string)
	// Leave is called when a chat is left for another session in Cwd, "" for a new
	// one. If it is nil, none can be chosen.
	Leave func(session string)
	// Lasting says that a turn goes on when a chat is left.
	Lasting bool

	// Interrupts delivers interrupts from outside the terminal, such as
	// signals. The first cancels the turn, the second ends the run. If it is
	// nil, Run listens for the signal itself.
	Interrupts <-chan os.Signal
	Log        *slog.Logger // nil means no log
}

// ForFiles returns options for the standard files of a process. It checks
// whether they are terminals, and what those can display.
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

// live reports whether the screen may be drawn on.
func (o *Options) live() bool { return (o.Terminal || o.Interactive) && !o.Dumb && !o.JSON && !o.Quiet }

// asks reports whether the user can be asked.
func (o *Options) asks() bool { return o.Interactive && !o.JSON && !o.Quiet && o.Stdin != nil }
