package ahphost

import (
	"errors"
	"io/fs"
	"log/slog"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Forget removes a host's files in folder for sessions that were deleted from the
// journal. gone receives the key of a session's agent in the journal, and the session's
// id. A running host removes the files itself when it reads the journal.
func Forget(folder string, deleted func(key, id string) bool) error {
	s := &saver{folder: folder, files: journal.RealFiles(), log: slog.New(slog.DiscardHandler)}
	var failed error
	for _, r := range s.records() {
		if r.ACP == "" || !deleted(r.Key, r.ACP) {
			continue
		}
		if err := s.files.Remove(s.sessionFile(r.URI)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
