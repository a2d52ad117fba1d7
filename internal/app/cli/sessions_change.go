package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

func newSessionsRename(from *storeOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "rename ID TITLE",
		Short: "Rename a session",
		Long: `Rename a session. The agent can no longer change its title. ID can be a unique
prefix.`,
		Example: examples(
			`turnwire sessions rename tw-3k9 "Parser, second attempt"`,
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("name a session and its title: turnwire sessions rename ID TITLE")
			}
			if strings.TrimSpace(args[1]) == "" {
				return usagef("the title is empty")
			}
			return nil
		},
		ValidArgsFunction: completeSessions(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return from.use(cmd, func(store journal.Keeper) error {
				s, err := findSession(store, args[0])
				if err != nil {
					return err
				}
				j, err := store.Own(s.ID)
				if err != nil {
					return err
				}
				return errors.Join(j.Retitle(strings.TrimSpace(args[1]), true), j.Close())
			})
		},
	}
}

func newSessionsDelete(from *storeOptions) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete ID...",
		Short: "Delete sessions",
		Long: `Delete sessions. Their entries in the audit log remain. ID can be a unique prefix.
In a terminal you are asked first; otherwise --yes is required. A session that is
open in another process is not deleted.`,
		Example: examples(
			"turnwire sessions delete tw-3k9",
			"turnwire sessions delete --yes tw-3k9 tw-0bd",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the sessions to delete: turnwire sessions delete ID...")
			}
			return nil
		},
		ValidArgsFunction: completeSessions(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return from.use(cmd, func(store journal.Keeper) error {
				var list []journal.Summary
				seen := make(map[string]bool)
				for _, typed := range args { // find all of them before deleting the first
					s, err := findSession(store, typed)
					if err != nil {
						return err
					}
					if !seen[s.ID] {
						seen[s.ID] = true
						list = append(list, s)
					}
				}
				screen := screenOf(cmd)
				if !yes {
					if err := screen.agreeToDelete(list); err != nil {
						return err
					}
				}
				return screen.deleteAll(store, list)
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask for confirmation")
	return cmd
}

// agreeToDelete asks the user. It returns an error unless the answer is yes.
func (s screen) agreeToDelete(list []journal.Summary) error {
	if !s.interactive {
		return errors.New("nothing was deleted because there is no terminal to ask in: use --yes to delete")
	}
	if err := (sessionTable{screen: s, now: time.Now(), all: true}).write(list); err != nil {
		return err
	}
	question := "Delete this session?"
	if len(list) > 1 {
		question = fmt.Sprintf("Delete these %d sessions?", len(list))
	}
	return agreed(s.in, s.out, s.paint, question, errNothingDeleted)
}

var errNothingDeleted = errors.New("nothing was deleted")

// deleteAll deletes as many of the sessions as it can.
func (s screen) deleteAll(store journal.Store, list []journal.Summary) error {
	var failed error
	deleted := make(map[[2]string]bool)
	for _, d := range list {
		if err := store.Delete(d.ID); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		deleted[[2]string{d.Agent, d.ID}] = true
		fmt.Fprintf(s.out, "%s deleted %s  %s\n", s.paint.good("✓"), inLine(d.ID), inLine(d.Title))
	}
	folder, err := hostFolder()
	if err == nil {
		err = ahphost.Forget(folder, func(agent, id string) bool { return deleted[[2]string{agent, id}] })
	}
	return errors.Join(failed, err)
}

func newSessionsPrune(from *storeOptions) *cobra.Command {
	var days, megabytes int
	var dry bool
	var file string
	cmd := &cobra.Command{
		Use:   "prune [flags]",
		Short: "Delete old sessions",
		Long: `Delete sessions that haven't changed for some days, and the oldest ones if all
sessions together exceed the size limit. "turnwire acp", "run", "chat" and "serve"
also do this when they start, except in a shared store. The limits are those of
"sessions" in turnwire.json, by default 90 days and 1024 MB. Open sessions are kept.`,
		Example: examples(
			"turnwire sessions prune --dry-run",
			"turnwire sessions prune --days 30",
			"turnwire sessions prune --days 0 --megabytes 100",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days < 0 || megabytes < 0 {
				return usagef("--days and --megabytes must not be negative")
			}
			own, err := config.Find(file, ".").Sessions()
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("days") {
				own.Days = &days
			}
			if cmd.Flags().Changed("megabytes") {
				own.Megabytes = &megabytes
			}
			if from.url == "" {
				from.url = thisMachine // a shared store is pruned only if it is named
			}
			return from.use(cmd, func(store journal.Keeper) error {
				return screenOf(cmd).prune(store, journal.Retention{Age: own.Age(), Bytes: own.Bytes()}, dry)
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&days, "days", 90, "delete sessions unchanged for `N` days (0 = no age limit)")
	f.IntVar(&megabytes, "megabytes", 1024, "keep at most `N` megabytes of sessions (0 = no size limit)")
	f.BoolVarP(&dry, "dry-run", "n", false, "list what would be deleted, and delete nothing")
	f.StringVar(&file, "config", "", "read the limits from `FILE` instead of your "+config.FileName)
	_ = cmd.RegisterFlagCompletionFunc("days", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("megabytes", cobra.NoFileCompletions)
	return cmd
}

func (s screen) prune(store journal.Keeper, r journal.Retention, dry bool) error {
	if !dry {
		deleted, err := journal.Prune(store, r, time.Now())
		fmt.Fprintf(s.out, "%s deleted\n", countSessions(deleted))
		return err
	}
	old, err := store.Outdated(r, time.Now())
	if err != nil {
		return err
	}
	if len(old) > 0 {
		if err := (sessionTable{screen: s, now: time.Now(), all: true}).write(old); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.errors, "%s would be deleted\n", countSessions(len(old)))
	return nil
}

func countSessions(n int) string {
	if n == 1 {
		return "1 session"
	}
	return fmt.Sprintf("%d sessions", n)
}
