package tokens

import (
	"crypto/rand"
	"crypto/subtle"
	"sync"
	"time"
)

// Once is a code that can be exchanged for one token, once, within a time limit. A server
// shows it on its own screen; it is worthless to anyone who sees it later. It is safe for
// concurrent use.
type Once struct {
	// Failed is called with the error if a token could not be created; it may be nil.
	Failed func(error)
	make   func() (string, error)
	until  time.Time

	mu   sync.Mutex
	code string // "" after it was used
}

// NewOnce returns a code that calls make to create the token.
func NewOnce(valid time.Duration, make func() (string, error)) *Once {
	return &Once{code: "tw1_" + rand.Text(), until: time.Now().Add(valid), make: make}
}

// Code returns the text to show.
func (o *Once) Code() string { return o.code }

// Trade returns the token for a code. It returns false if the code is wrong, expired, or
// was used before.
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
