package push

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	// maxOwned limits the subscriptions of a token. One more replaces the oldest.
	maxOwned = 8
	// maxAll limits all subscriptions.
	maxAll = 128
)

// errMany is the error when all tokens together have too many subscriptions.
var errMany = fmt.Errorf("the limit of %d subscriptions is reached: turn notifications off in another browser", maxAll)

// errToken is the error for a token that is void, or that can't subscribe.
var errToken = errors.New("this token cannot subscribe to notifications")

// fileName is the name of the file in the state folder.
const fileName = "push.json"

// Tokens looks up the tokens that subscriptions belong to.
type Tokens interface {
	// Fingerprint returns a value that no other token has, or "" if the named token
	// can't subscribe.
	Fingerprint(name string) string
}

// A Store holds the key pair and the subscriptions of a running server. It is safe for
// concurrent use, and sees what other programs change.
type Store struct {
	path   string
	tokens Tokens
	open   bool // the server needs no token
	log    *slog.Logger

	mu   sync.Mutex
	seen os.FileInfo // of the file that was read
	now  content
}

// Open opens the store in a folder, with a new key pair if the folder has no store. open says
// that the server needs no token: only then, subscriptions without a token are valid.
func Open(folder string, tokens Tokens, open bool, log *slog.Logger) (*Store, error) {
	s := &Store{path: filepath.Join(folder, fileName), tokens: tokens, open: open, log: log}
	return s, s.change(func(*content) (bool, error) { return false, nil })
}

// Exists reports whether a folder has a store.
func Exists(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, fileName))
	return err == nil
}

// Revoke removes the subscriptions of tokens from the store in a folder.
func Revoke(folder string, tokens ...string) error {
	if !Exists(folder) {
		return nil
	}
	_, err := change(filepath.Join(folder, fileName), func(c *content) (bool, error) {
		return c.remove(func(s saved) bool { return slices.Contains(tokens, s.Token) }), nil
	})
	return err
}

// Key returns the public key with which browsers subscribe, in Base64.
func (s *Store) Key() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.PublicKey
}

// Any reports whether a browser is subscribed. It doesn't wait for other programs.
func (s *Store) Any() bool {
	return slices.ContainsFunc(s.all(), func(one saved) bool { return s.accepts(one.owner) })
}

// subscribe saves a subscription of a token. If its endpoint is saved already, it belongs
// to this token from now on.
func (s *Store) subscribe(token string, given Subscription) error {
	if err := given.check(); err != nil {
		return err
	}
	o := owner{token, s.tokens.Fingerprint(token)}
	if !s.accepts(o) {
		return errToken
	}
	return s.change(func(c *content) (bool, error) {
		there := func(old saved) bool { return old.Endpoint == given.Endpoint }
		if i := slices.IndexFunc(c.Subscriptions, there); i >= 0 && c.Subscriptions[i].Subscription == given && c.Subscriptions[i].owner == o {
			return false, nil
		}
		c.remove(there)
		c.remove(func(old saved) bool { return !s.accepts(old.owner) })
		c.makeRoom(o)
		if len(c.Subscriptions) >= maxAll {
			return false, errMany
		}
		c.Subscriptions = append(c.Subscriptions, saved{given, o, time.Now().UTC().Truncate(time.Second)})
		return true, nil
	})
}

// unsubscribe removes a token's subscription.
func (s *Store) unsubscribe(token, endpoint string) error {
	return s.forget(func(old saved) bool { return old.Endpoint == endpoint && old.Token == token })
}

// forget removes subscriptions.
func (s *Store) forget(which func(saved) bool) error {
	return s.change(func(c *content) (bool, error) { return c.remove(which), nil })
}

// valid returns the subscriptions whose tokens are valid, and removes the others.
func (s *Store) valid() []saved {
	all := s.all()
	void := func(one saved) bool { return !s.accepts(one.owner) }
	if slices.ContainsFunc(all, void) {
		if err := s.forget(void); err != nil {
			s.log.Warn("void push subscriptions could not be removed", "error", err)
		}
	}
	return slices.DeleteFunc(all, void)
}

// accepts reports whether a token is valid.
func (s *Store) accepts(o owner) bool {
	if o.Token == "" {
		return s.open
	}
	return o.Fingerprint != "" && o.Fingerprint == s.tokens.Fingerprint(o.Token)
}

// all returns all subscriptions. It reads the file again if that changed. If the file
// can't be read, nobody is subscribed.
func (s *Store) all() []saved {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path)
	if err != nil || s.seen == nil || !os.SameFile(info, s.seen) || !info.ModTime().Equal(s.seen.ModTime()) || info.Size() != s.seen.Size() {
		c, err := read(s.path)
		if err != nil {
			s.log.Error("the push subscriptions cannot be read", "error", err)
			c = content{PrivateKey: s.now.PrivateKey, PublicKey: s.now.PublicKey}
		}
		s.seen, s.now = info, c
	}
	return slices.Clone(s.now.Subscriptions)
}

// change changes the file with by.
func (s *Store) change(by func(*content) (bool, error)) error {
	c, err := change(s.path, by)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.now = nil, c
	return nil
}

// remove removes subscriptions, and reports whether there were any.
func (c *content) remove(which func(saved) bool) bool {
	before := len(c.Subscriptions)
	c.Subscriptions = slices.DeleteFunc(c.Subscriptions, which)
	return len(c.Subscriptions) < before
}

// makeRoom removes the oldest subscriptions of a token, so that one can be added.
func (c *content) makeRoom(o owner) {
	owned := 0
	for _, s := range c.Subscriptions {
		if s.owner == o {
			owned++
		}
	}
	c.remove(func(s saved) bool {
		if s.owner != o || owned < maxOwned {
			return false
		}
		owned--
		return true
	})
}
