// Package tokens stores the tokens with which clients reach "turnwire serve".
//
// # Contract
//
// A token is 256 random bits. It is shown once, when it is created. The file contains
// only its SHA-256, from which the token can't be derived, and only its owner can read
// the file (0600). A token is compared with all known ones in a time that depends only on
// their number. Changes of the file take effect immediately, even in a running server.
// Two programs never change it at the same time.
package tokens

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

const (
	prefix = "tw_" // lets secret scanners recognise a token
	size   = 32    // random bytes
	// maxTokens limits the number of tokens, because each request is compared with all of
	// them.
	maxTokens = 256
)

// nameForm matches valid token names, which are printed and logged.
var nameForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Errors of the store.
var (
	ErrName    = errors.New("a name has at most 64 letters, digits, dots, dashes and underscores")
	ErrTaken   = errors.New("the token already exists")
	ErrUnknown = errors.New("unknown token")
	errMany    = fmt.Errorf("the limit of %d tokens is reached: revoke some", maxTokens)
)

// A Token describes a token, without the token itself.
type Token struct {
	Name    string     `json:"name"`
	Hash    string     `json:"hash"` // SHA-256, in hexadecimal digits
	Created time.Time  `json:"created"`
	Expires *time.Time `json:"expires,omitempty"`
	// Watches restricts its clients to watching open sessions.
	Watches bool `json:"watches,omitempty"`
}

// Expired reports whether the token has expired.
func (t Token) Expired(now time.Time) bool { return t.Expires != nil && !now.Before(*t.Expires) }

// A Store is a file of tokens.
type Store struct{ path string }

// Open returns the store in a folder, which need not exist.
func Open(folder string) *Store { return &Store{filepath.Join(folder, "tokens.json")} }

// Create creates a token that is valid for the given time, or forever if that is 0. It
// returns the text to give to a client.
func (s *Store) Create(name string, valid time.Duration) (string, error) {
	return s.create(Token{Name: name}, valid)
}

// CreateWatching is like [Store.Create], but the token's clients may only watch open
// sessions.
func (s *Store) CreateWatching(name string, valid time.Duration) (string, error) {
	return s.create(Token{Name: name, Watches: true}, valid)
}

// create creates the token t.
func (s *Store) create(t Token, valid time.Duration) (string, error) {
	name := t.Name
	if !nameForm().MatchString(name) {
		return "", ErrName
	}
	raw := make([]byte, size)
	_, _ = rand.Read(raw) // never fails
	text := prefix + base64.RawURLEncoding.EncodeToString(raw)
	t.Hash, t.Created = hash(text), time.Now().UTC().Truncate(time.Second)
	if valid > 0 {
		expires := t.Created.Add(valid)
		t.Expires = &expires
	}
	return text, s.change(func(all []Token) ([]Token, error) {
		if slices.ContainsFunc(all, t.called) {
			return nil, fmt.Errorf("%w: %s", ErrTaken, name)
		}
		if len(all) >= maxTokens {
			return nil, errMany
		}
		return append(all, t), nil
	})
}

// Revoke revokes tokens, all or none.
func (s *Store) Revoke(names ...string) error {
	return s.change(func(all []Token) ([]Token, error) {
		for _, name := range names {
			i := slices.IndexFunc(all, Token{Name: name}.called)
			if i < 0 {
				return nil, fmt.Errorf("%w: %.80q", ErrUnknown, name)
			}
			all = slices.Delete(all, i, i+1)
		}
		return all, nil
	})
}

func (t Token) called(other Token) bool { return t.Name == other.Name }

// List returns all tokens, including expired ones.
func (s *Store) List() ([]Token, error) { return s.read() }

// change changes the file with by, unless by fails.
func (s *Store) change(by func([]Token) ([]Token, error)) (err error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	all, err := s.read()
	if err != nil {
		return err
	}
	if all, err = by(all); err != nil {
		return err
	}
	return s.write(all)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
