package cli

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// journalOptions say whether sessions are saved.
type journalOptions struct{ off bool }

func (o *journalOptions) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.off, "no-journal", false, "don't save sessions; they can't be reopened")
}

// pruneDelay is how long after the start expired sessions are deleted: an editor is
// waiting at the start.
const pruneDelay = 5 * time.Second

// open returns the session store, or nil if sessions are not saved. They are not saved
// without a state folder.
func (o *journalOptions) open(configFile string, log *slog.Logger) (store journal.Store, stop func(), err error) {
	stop = func() {}
	if o.off {
		return nil, stop, nil
	}
	sessions, err := config.Find(configFile, ".").Sessions()
	if err != nil {
		return nil, stop, err
	}
	if !sessions.Saved() {
		return nil, stop, nil
	}
	folder, err := sessionsFolder()
	if err != nil {
		log.Warn("sessions are not saved", "error", err)
		return nil, stop, nil
	}
	prune := time.AfterFunc(pruneDelay, func() {
		deleted, err := folder.Prune(journal.Retention{Age: sessions.Age(), Bytes: sessions.Bytes()}, time.Now())
		if err != nil {
			log.Warn("old sessions could not be deleted", "error", err)
		}
		if deleted > 0 {
			log.Info("deleted old sessions", "sessions", deleted)
		}
	})
	return folder, func() { prune.Stop() }, nil
}

// sessionsFolder returns this machine's session store.
func sessionsFolder() (*journal.Folder, error) {
	state, err := config.StateFolder()
	if err != nil {
		return nil, err
	}
	return journal.NewFolder(filepath.Join(state, "sessions")), nil
}
