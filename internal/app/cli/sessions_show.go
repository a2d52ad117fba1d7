package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/app/transcript"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/suggest"
)

// oneSession returns a check that the arguments name exactly one session.
func oneSession(usage string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("name one session: turnwire sessions %s", usage)
		}
		return nil
	}
}

func newSessionsShow(from *storeOptions) *cobra.Command {
	var plain bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a session's conversation",
		Long: `Show the conversation of a session as "turnwire run" would have shown it, with the
prompts. ID can be a unique prefix. The session may be open.`,
		Example: examples(
			"turnwire sessions show tw-3k9",
			"turnwire sessions show tw-3k9 | less",
		),
		Args:              oneSession("show ID"),
		ValidArgsFunction: completeSessions(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return from.use(cmd, func(store journal.Keeper) error {
				s, err := findSession(store, args[0])
				if err != nil {
					return err
				}
				opts := terminal.Options{}
				if cmd.OutOrStdout() == os.Stdout {
					opts = terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
				}
				opts.Stdout, opts.Plain = cmd.OutOrStdout(), plain
				return showSession(store, s, opts)
			})
		},
	}
	addPlain(cmd, &plain)
	return cmd
}

// tells reports whether a decision is worth showing: a rule made it, or the user did in
// one of several clients.
func tells(d *consent.Decision) bool {
	return d.By == consent.ByRule || d.By == consent.ByUser && d.Client != nil && d.Client.ID != ""
}

// showSession shows as much of a session as can be read.
func showSession(store journal.Store, s journal.Summary, opts terminal.Options) error {
	past := terminal.NewPast(opts)
	for p, err := range transcript.Read(store.Read(s.ID, 1), s.Cwd) {
		if err != nil {
			return errors.Join(past.Close(), err)
		}
		switch {
		case p.Prompt != nil:
			past.Prompt(p.Prompt)
		case p.Update != nil:
			past.Update(p.Update)
		case p.Question != nil:
			past.Question(p.Question.Text, p.Question.Answer, p.Question.Answered)
		case p.Decision != nil:
			past.Decided(p.Decision.ToolCallID, p.Decision.Decision.Allows())
		case p.By != nil && tells(p.By):
			past.DecidedBy(p.By.Call, p.By.Sentence())
		case p.End != nil:
			if err := past.End(p.End.Stop, p.End.Failure); err != nil {
				return err
			}
		}
	}
	return past.Close()
}

// exportFormats are the export formats, which are also the file extensions.
var exportFormats = []string{"md", "json", "html"}

func newSessionsExport(from *storeOptions) *cobra.Command {
	var format, file string
	cmd := &cobra.Command{
		Use:   "export [flags] ID",
		Short: "Export a session as a document",
		Long: `Export a session as a document: Markdown (md), one JSON object with all records
(json), or a self-contained HTML file (html). ID can be a unique prefix. The export
contains everything, including secrets: review it before you share it.`,
		Example: examples(
			"turnwire sessions export tw-3k9 > talk.md",
			"turnwire sessions export tw-3k9 --format html -o talk.html",
			"turnwire sessions export tw-3k9 --format json | jq '.records[].type'",
		),
		Args:              oneSession("export ID"),
		ValidArgsFunction: completeSessions(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := exporters[format]
			if !ok {
				return usagef("unknown --format %q%s", format, suggest.Hint(format, exportFormats))
			}
			return from.use(cmd, func(store journal.Keeper) error {
				s, err := findSession(store, args[0])
				if err != nil {
					return err
				}
				if file == "" || file == "-" {
					return write(cmd.OutOrStdout(), store, s)
				}
				return writeFile(file, func(w io.Writer) error { return write(w, store, s) })
			})
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "md", "document `FORMAT`: md, json or html")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE` instead of stdout")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(exportFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var exporters = map[string]func(w io.Writer, store journal.Store, s journal.Summary) error{
	"md": func(w io.Writer, store journal.Store, s journal.Summary) error {
		return transcript.Markdown(w, s, transcript.Items(transcript.Read(store.Read(s.ID, 1), s.Cwd)))
	},
	"json": func(w io.Writer, store journal.Store, s journal.Summary) error {
		return transcript.JSON(w, s, store.Read(s.ID, 1))
	},
	"html": func(w io.Writer, store journal.Store, s journal.Summary) error {
		return transcript.HTML(w, s, transcript.Items(transcript.Read(store.Read(s.ID, 1), s.Cwd)))
	},
}

// writeFile writes a file that only the user may read, because conversations are private.
// It deletes the file if writing fails.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		if info, failed := os.Lstat(path); failed == nil && info.Mode().IsRegular() {
			err = errors.Join(err, os.Remove(path))
		}
		return err
	}
	return nil
}
