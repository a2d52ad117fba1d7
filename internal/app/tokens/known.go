package tokens

import (
	"crypto/subtle"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// Known are the tokens of a store for a server that runs. It reads the file again
// when that has changed, and is safe for concurrent use. It implements Tokens of
// package guard.
type Known struct {
	store *Store
	log   *slog.Logger

	mu     sync.Mutex
	seen   os.FileInfo // of the file that was read; nil for none
	tokens []Token
}

// Known returns the tokens of s.
func (s *Store) Known(log *slog.Logger) *Known { return &Known{store: s, log: log} }

// Find returns the name of a token that is valid.
func (k *Known) Find(text string) (name string, ok bool) {
	given := []byte(hash(text))
	found := -1
	all := k.current()
	for i, t := range all {
		// Every one is compared, whatever was found.
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(given, []byte(t.Hash)), i, found)
	}
	if text == "" || found < 0 || all[found].Expired(time.Now()) {
		return "", false
	}
	return all[found].Name, true
}

// Watches reports whether the clients of a token only see sessions that are open.
func (k *Known) Watches(name string) bool {
	return slices.ContainsFunc(k.current(), func(t Token) bool { return t.Name == name && t.Watches })
}

// current are the tokens of now. A file that cannot be read has none: what was
// revoked must not come back because of an error.
func (k *Known) current() []Token {
	k.mu.Lock()
	defer k.mu.Unlock()
	info, err := os.Stat(k.store.path)
	if err != nil {
		if !os.IsNotExist(err) {
			k.log.Error("the tokens cannot be read: nobody has one", "error", err)
		}
		k.seen, k.tokens = nil, nil
		return nil
	}
	if k.seen != nil && os.SameFile(info, k.seen) && info.ModTime().Equal(k.seen.ModTime()) && info.Size() == k.seen.Size() {
		return k.tokens
	}
	all, err := k.store.read()
	if err != nil {
		k.log.Error("the tokens cannot be read: nobody has one", "error", err)
		k.seen, k.tokens = nil, nil
		return nil
	}
	k.seen, k.tokens = info, all
	return all
}
