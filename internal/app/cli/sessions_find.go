package cli

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/visible"
)

// allSessions yields the sessions that match the filter, newest first. An error ends the
// sequence. It calls unread, unless nil, with the reason for each session that can't be
// read.
func allSessions(store journal.Store, q journal.Filter, unread func(error)) iter.Seq2[journal.Summary, error] {
	return func(yield func(journal.Summary, error) bool) {
		// Each page reads all files, so let pages grow.
		for q.Limit = journal.DefaultLimit; ; q.Limit *= 8 {
			page, err := store.List(q)
			if err != nil {
				yield(journal.Summary{}, err)
				return
			}
			for _, cause := range page.Unread {
				if unread != nil {
					unread(cause)
				}
			}
			for _, s := range page.Sessions {
				if !yield(s, nil) {
					return
				}
			}
			if q.Cursor = page.Next; q.Cursor == "" {
				return
			}
		}
	}
}

func sortNewest(list []journal.Summary) {
	slices.SortStableFunc(list, func(a, b journal.Summary) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
}

// isAgent reports whether key belongs to the agent that a user means. A command's key
// ends with a number that nobody types.
func isAgent(key, meant string) bool {
	return key == meant || strings.HasPrefix(key, meant+":")
}

// inLine formats text from a file for one line of a terminal.
func inLine(s string) string { return strings.Join(strings.Fields(visible.Text(s)), " ") }

// begins reports whether a session's id begins with typed. The user may have copied typed
// from a list, which shows control characters as escapes.
func begins(id, typed string) bool {
	return strings.HasPrefix(id, typed) || strings.HasPrefix(inLine(id), typed)
}

// maxCandidates limits how many sessions an error names.
const maxCandidates = 5

// findSession returns the session whose id is typed or begins with it.
func findSession(store journal.Store, typed string) (journal.Summary, error) {
	if typed == "" {
		return journal.Summary{}, usagef("the session ID is empty")
	}
	if s, err := store.Describe(typed); !errors.Is(err, journal.ErrNotFound) {
		return s, err
	}
	var found []journal.Summary
	for s, err := range allSessions(store, journal.Filter{}, nil) {
		if err != nil {
			return journal.Summary{}, err
		}
		if begins(s.ID, typed) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return journal.Summary{}, noSessionError{typed}
	case 1:
		return found[0], nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d sessions start with %q:", len(found), typed)
	for i, s := range found {
		if i == maxCandidates {
			fmt.Fprintf(&b, "\n  … and %d more", len(found)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s  %s", inLine(s.ID), inLine(s.Title))
	}
	return journal.Summary{}, errors.New(b.String())
}

// noSessionError reports that no session id begins with typed.
type noSessionError struct{ typed string }

// Error implements error.
func (e noSessionError) Error() string {
	return fmt.Sprintf("unknown session %q; \"turnwire sessions --all\" lists all sessions", e.typed)
}

// maxCompletions limits how many sessions are offered to a shell.
const maxCompletions = 100

// completeSession completes session ids, with their titles. It ignores errors.
func completeSession(typed string) ([]string, cobra.ShellCompDirective) {
	store, err := sessionsFolder()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	for s, err := range allSessions(store, journal.Filter{}, nil) {
		if err != nil || len(ids) == maxCompletions {
			break
		}
		// Don't put an id with control characters into the shell's line.
		if !strings.HasPrefix(s.ID, typed) || inLine(s.ID) != s.ID {
			continue
		}
		ids = append(ids, cobra.CompletionWithDesc(s.ID, inLine(s.Title)))
	}
	// Keep the order: newest first.
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeSessions completes session ids for the first n arguments, or for all if n is 0.
func completeSessions(n int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if n > 0 && len(args) >= n || cmd.Flags().Changed("store") { // don't let the shell wait for other machines
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ids, directive := completeSession(typed)
		return slices.DeleteFunc(ids, func(id string) bool {
			id, _, _ = strings.Cut(id, "\t")
			return slices.Contains(args, id)
		}), directive
	}
}

// completeSessionAgent completes the names of agents that have saved sessions.
func completeSessionAgent(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	if cmd.Flags().Changed("store") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	store, err := sessionsFolder()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var keys []string
	for s, err := range allSessions(store, journal.Filter{}, nil) {
		if err != nil {
			break
		}
		if !slices.Contains(keys, s.Agent) && inLine(s.Agent) == s.Agent {
			keys = append(keys, s.Agent)
		}
	}
	return keys, cobra.ShellCompDirectiveNoFileComp
}
