package tokens

import (
	"crypto/subtle"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// Known holds a store's tokens for a running server. It rereads the file when it changes,
// and is safe for concurrent use. It implements the interface Tokens of package guard.
type Known struct {
	store *Store
	log   *slog.Logger

	mu     sync.Mutex
	seen   os.FileInfo // of the file that was read; nil if none
	tokens []Token
}

// Known returns the tokens of s.
func (s *Store) Known(log *slog.Logger) *Known { return &Known{store: s, log: log} }

// Find returns the name of a valid token.
func (k *Known) Find(text string) (name string, ok bool) {
	given := []byte(hash(text))
	found := -1
	all := k.current()
	for i, t := range all {
		// Compare with every token, even after a match, so that the time doesn't depend
		// on it.
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(given, []byte(t.Hash)), i, found)
	}
	if text == "" || found < 0 || all[found].Expired(time.Now()) {
		return "", false
	}
	return all[found].Name, true
}

// Watches reports whether clients with the named token may only watch open sessions.
func (k *Known) Watches(name string) bool {
	return slices.ContainsFunc(k.current(), func(t Token) bool { return t.Name == name && t.Watches })
}

// Fingerprint returns a value that only the named token has, or "" if no valid token has
// the name. It can't be used as a token.
func (k *Known) Fingerprint(name string) string {
	for _, t := range k.current() {
		if t.Name == name && !t.Expired(time.Now()) {
			return t.Hash
		}
	}
	return ""
}

// current returns the current tokens. It returns no tokens if the file can't be read,
// because an error must not make revoked tokens valid again.
func (k *Known) current() []Token {
	k.mu.Lock()
	defer k.mu.Unlock()
	info, err := os.Stat(k.store.path)
	if err != nil {
		if !os.IsNotExist(err) {
			k.log.Error("the tokens cannot be read, so all are rejected", "error", err)
		}
		k.seen, k.tokens = nil, nil
		return nil
	}
	if k.seen != nil && os.SameFile(info, k.seen) && info.ModTime().Equal(k.seen.ModTime()) && info.Size() == k.seen.Size() {
		return k.tokens
	}
	all, err := k.store.read()
	if err != nil {
		k.log.Error("the tokens cannot be read, so all are rejected", "error", err)
		k.seen, k.tokens = nil, nil
		return nil
	}
	k.seen, k.tokens = info, all
	return all
}
