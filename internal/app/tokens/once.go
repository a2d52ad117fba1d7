package tokens

import (
	"crypto/rand"
	"crypto/subtle"
	"sync"
	"time"
)

// Once is a code that makes one token, once, within a time. A server shows it on its
// own screen; who has seen it later has nothing. It is safe for concurrent use.
type Once struct {
	// Failed is told why a token could not be made; it may be nil.
	Failed func(error)
	make   func() (string, error)
	until  time.Time

	mu   sync.Mutex
	code string // "" once it was traded
}

// NewOnce returns a code that calls make.
func NewOnce(valid time.Duration, make func() (string, error)) *Once {
	return &Once{code: "tw1_" + rand.Text(), until: time.Now().Add(valid), make: make}
}

// Code is the text to show.
func (o *Once) Code() string { return o.code }

// Trade returns the token for a code, or false where it is another one, is too old or
// was traded before.
func (o *Once) Trade(code string) (token string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.code == "" || subtle.ConstantTimeCompare([]byte(code), []byte(o.code)) != 1 {
		return "", false
	}
	o.code = ""
	if !time.Now().Before(o.until) {
		return "", false
	}
	token, err := o.make()
	if err != nil {
		if o.Failed != nil {
			o.Failed(err)
		}
		return "", false
	}
	return token, true
}
