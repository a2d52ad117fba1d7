package push

import (
	"errors"
	"io"
	"net/http"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// maxBody is the largest accepted request, in bytes.
const maxBody = 8 << 10

// ServeHTTP subscribes a page, with {"subscribe": SUBSCRIPTION}, or ends that, with
// {"unsubscribe": ENDPOINT}. It must be behind a [guard.Guard].
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
		return
	}
	var given struct {
		Subscribe   *Subscription `json:"subscribe"`
		Unsubscribe string        `json:"unsubscribe"`
	}
	if err := exactjson.Unmarshal(text, &given); err != nil || (given.Subscribe == nil) == (given.Unsubscribe == "") {
		http.Error(w, "the request must be a JSON object with subscribe or unsubscribe", http.StatusBadRequest)
		return
	}
	caller := guard.CallerOf(r.Context())
	if given.Subscribe != nil {
		err = s.subscribe(caller.Token, *given.Subscribe)
	} else {
		err = s.unsubscribe(caller.Token, given.Unsubscribe)
	}
	switch {
	case errors.Is(err, errEndpoint), errors.Is(err, errKeys):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case errors.Is(err, errToken):
		http.Error(w, err.Error(), http.StatusForbidden)
	case errors.Is(err, errMany):
		http.Error(w, err.Error(), http.StatusConflict)
	case err != nil:
		s.log.Warn("a push subscription was not changed", "error", err)
		http.Error(w, "the subscription could not be saved", http.StatusInternalServerError)
	case given.Subscribe != nil && !caller.Valid():
		// The token was revoked meanwhile, and another one may have its name.
		_ = s.unsubscribe(caller.Token, given.Subscribe.Endpoint)
		http.Error(w, "the token was revoked", http.StatusUnauthorized)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
