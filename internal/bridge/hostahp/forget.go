package hostahp

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
)

// Forget removes what a host keeps in folder of sessions that were deleted from the
// journal. gone gets the key of an agent there, and the id of a session. A host that
// runs forgets them when it reads the journal.
func Forget(folder string, gone func(key, id string) bool) error {
	s := &saver{folder: folder, log: slog.New(slog.DiscardHandler)}
	var failed error
	for _, r := range s.records() {
		if r.ACP == "" || !gone(r.Key, r.ACP) {
			continue
		}
		if err := os.Remove(s.sessionFile(r.URI)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
