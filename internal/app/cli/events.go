package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/bridge"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/visible"
)

func newEvents(*logOptions) *cobra.Command {
	var o agentOptions
	var l logOptions
	var to, dir string
	cmd := &cobra.Command{
		Use:   "events [flags] < STREAM",
		Short: "Convert a stream of events",
		Long: `Read an agent's events from stdin and print them as canonical events,
one per line (--to events), or as the JSON-RPC messages an editor would receive
(--to v1). The input is one JSON object per line, or server-sent events
containing such objects.

Lines that are not events are skipped; --log-file - --log-level debug shows them.
In a terminal, control characters are printed as JSON escapes.`,
		Example: examples(
			"turnwire events < recording.jsonl",
			"my_agent < prompt.json | turnwire events --to v1",
			"turnwire events --dialect awaken --to v1 < stream.sse",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			d, err := o.findDialect()
			if err != nil {
				return err
			}
			l.file, l.level, l.format = cmd.Flag("log-file").Value.String(), cmd.Flag("log-level").Value.String(), cmd.Flag("log-format").Value.String()
			log, logFile, err := l.open()
			if err != nil {
				return err
			}
			defer func() { err = closeWith(logFile, err) }()
			cwd, err := filepath.Abs(dir)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer func() {
				if flushed := out.Flush(); err == nil { // don't replace an earlier write error
					err = flushed
				}
			}()
			take, end, err := target(to, escaping(out, cmd.OutOrStdout()), cwd)
			if err != nil {
				return err
			}
			lines := httpsse.Lines(flushing{cmd.InOrStdin(), out})
			if err := dialect.Read(lines, d.NewDecoder(), log, take); err != nil {
				return errors.Join(err, lines.Close())
			}
			return errors.Join(end(), lines.Close())
		},
	}
	o.addDialect(cmd)
	cmd.Flags().StringVarP(&dir, "cwd", "C", ".", "resolve relative paths against `DIR`")
	cmd.Flags().StringVar(&to, "to", "events", "output `FORMAT`: events or v1")
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions([]string{"events", "v1"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// flushing flushes the output before each read, because the agent may still be running
// and the next input may take long.
type flushing struct {
	in  io.Reader
	out *bufio.Writer
}

// Read implements [io.Reader].
func (f flushing) Read(p []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, err
	}
	return f.in.Read(p)
}

// escaping wraps out for whole lines of JSON. On a terminal it escapes control
// characters, because an agent must not control the terminal. Other outputs get the bytes
// unchanged.
func escaping(out, to io.Writer) io.Writer {
	if f, ok := to.(*os.File); ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())) {
		return escapingWriter{out}
	}
	return out
}

type escapingWriter struct{ out io.Writer }

// Write implements [io.Writer].
func (v escapingWriter) Write(line []byte) (int, error) {
	if _, err := io.WriteString(v.out, visible.JSON(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// target returns a function that handles each event, and one that is called after the
// last.
func target(to string, out io.Writer, cwd string) (take func(agent.Event) bool, end func() error, err error) {
	var failed error
	switch to {
	case "events":
		var line []byte
		take = func(e agent.Event) bool {
			line = append(agent.AppendJSON(line[:0], e), '\n')
			_, failed = out.Write(line)
			return failed == nil
		}
		return take, func() error { return failed }, nil
	case "v1":
		t := bridge.NewTranscript(out, cwd)
		return t.Add, t.End, nil
	}
	return nil, nil, usagef("--to %q: must be events or v1", to)
}
