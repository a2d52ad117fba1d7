package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/visible"
)

// keptSession is a session in the output of "turnwire sessions --json".
type keptSession struct {
	ID      string    `json:"sessionId"`
	Title   string    `json:"title"`
	Agent   string    `json:"agent"`
	Cwd     string    `json:"cwd"`
	Roots   []string  `json:"roots,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Size    int64     `json:"size"` // in bytes
}

func newSessions(*logOptions) *cobra.Command {
	var q sessionQuery
	var asJSON bool
	var from storeOptions
	cmd := &cobra.Command{
		Use:   "sessions [flags]",
		Short: "List, show, export and delete saved sessions",
		Long: `List the saved sessions of the current folder, newest first.

A terminal shows short IDs; any unique prefix of an ID selects its session.
Otherwise each line has the ID, title, agent, folder, time of the last change and
size in bytes, separated by tabs. Sessions that cannot be read are reported on
stderr.`,
		Example: examples(
			"turnwire sessions",
			"turnwire sessions --all --agent ethos",
			"turnwire sessions --json --limit 1",
			"turnwire sessions show tw-3k9",
			"turnwire sessions export tw-3k9 --format html -o talk.html",
			"turnwire sessions delete tw-3k9",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return from.use(cmd, func(store journal.Keeper) error {
				var unread []error
				list, more, err := q.list(store, func(cause error) { unread = append(unread, cause) })
				if err != nil {
					return err
				}
				tellUnread(cmd.ErrOrStderr(), unread)
				if asJSON {
					return writeSessionsJSON(cmd.OutOrStdout(), list)
				}
				t := sessionTable{screen: screenOf(cmd), now: time.Now(), all: q.all, more: more}
				if len(list) == 0 && t.width > 0 {
					return t.empty(q)
				}
				return t.write(list)
			})
		},
	}
	from.add(cmd, "the sessions are")
	f := cmd.Flags()
	f.BoolVar(&q.all, "all", false, "list the sessions of all folders")
	f.StringVarP(&q.agent, "agent", "a", "", "list the sessions of one agent, by its name or the `KEY` in the list")
	f.StringVarP(&q.dir, "cwd", "C", ".", "list the sessions of the folder `DIR`")
	f.IntVarP(&q.limit, "limit", "L", 30, "list at most `N` sessions")
	f.BoolVar(&asJSON, "json", false, "print a JSON array")
	_ = cmd.RegisterFlagCompletionFunc("agent", completeSessionAgent)
	_ = cmd.RegisterFlagCompletionFunc("limit", cobra.NoFileCompletions)
	cmd.AddCommand(newSessionsShow(&from), newSessionsExport(&from), newSessionsRename(&from), newSessionsDelete(&from), newSessionsPrune(&from), newSessionsLive())
	return cmd
}

func writeSessionsJSON(w io.Writer, list []journal.Summary) error {
	sessions := make([]keptSession, 0, len(list))
	for _, s := range list {
		sessions = append(sessions, keptSession{s.ID, s.Title, s.Agent, s.Cwd, s.Roots, s.Created.UTC(), s.Updated.UTC(), s.Size})
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(sessions); err != nil {
		return err
	}
	_, err := io.WriteString(w, visible.JSON(text.String()))
	return err
}

// tellUnread reports the sessions that are not listed because they can't be read.
func tellUnread(w io.Writer, causes []error) {
	if len(causes) == 0 {
		return
	}
	fmt.Fprintf(w, "turnwire: %s cannot be read:\n", countSessions(len(causes)))
	for _, cause := range causes {
		fmt.Fprintln(w, "  "+inLine(cause.Error()))
	}
}

// A sessionQuery selects sessions.
type sessionQuery struct {
	all   bool
	agent string
	dir   string
	limit int
}

// list returns the selected sessions, newest first, and whether there are more.
func (q sessionQuery) list(store journal.Store, unread func(error)) (list []journal.Summary, more bool, err error) {
	if q.limit < 1 {
		return nil, false, usagef("--limit must be at least 1")
	}
	folders := []string{""}
	if !q.all {
		if folders, err = namesOfFolder(q.dir); err != nil {
			return nil, false, err
		}
	}
	for _, folder := range folders {
		n := 0
		for s, err := range allSessions(store, journal.Filter{Cwd: folder}, unread) {
			if err != nil {
				return nil, false, err
			}
			if q.agent != "" && !isAgent(s.Agent, q.agent) {
				continue
			}
			list = append(list, s)
			if n++; n > q.limit {
				break
			}
		}
	}
	sortNewest(list)
	if len(list) > q.limit {
		return list[:q.limit], true, nil
	}
	return list, false, nil
}

// namesOfFolder returns the names of a folder. If a link leads to it, an editor may know
// it by another name than the shell.
func namesOfFolder(dir string) ([]string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// Ignore errors: the folder may have been deleted since its sessions were saved.
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		return []string{path, real}, nil
	}
	return []string{path}, nil
}
