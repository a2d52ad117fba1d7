package awaken

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// EndedError reports that a server ended a stream before the run ended.
type EndedError struct {
	URL   string
	Begun bool // the run had begun
}

// Error implements error.
func (e *EndedError) Error() string {
	when := "before the run started"
	if e.Begun {
		when = "during the run"
	}
	return fmt.Sprintf("Awaken's server at %s ended the stream %s. See the server's log", e.URL, when)
}

// Code implements lifecycle.Coded.
func (*EndedError) Code() string { return "awaken_stream_ended" }

// UnwiredError reports that a server stores neither events nor records of
// runs, so that nothing can be read after a stream has ended.
type UnwiredError struct {
	URL       string
	Suspended bool // the stream ended because the run waits for a decision
	Err       error
}

// Error implements error.
func (e *UnwiredError) Error() string {
	if e.Suspended {
		return fmt.Sprintf("Awaken's server at %s stores no events, so the run was cancelled: its events after an approval could not be shown. "+
			"Give the server an event store (its EventModule), or allow the tool in the agent's permission rules", e.URL)
	}
	return fmt.Sprintf("%v. Awaken's server at %s stores no events, so the run could not be resumed and was cancelled. "+
		"Give the server an event store (its EventModule) to resume after a connection breaks", e.Err, e.URL)
}

// Unwrap returns the cause.
func (e *UnwiredError) Unwrap() error { return e.Err }

// Code implements lifecycle.Coded.
func (*UnwiredError) Code() string { return "awaken_no_event_store" }

// StoreError is an error that the event store reports in its stream.
type StoreError struct {
	URL    string
	Detail string // may be ""
}

// Error implements error.
func (e *StoreError) Error() string {
	s := fmt.Sprintf("the event store of Awaken's server at %s failed", e.URL)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s + ". See the server's log"
}

// Code implements lifecycle.Coded.
func (*StoreError) Code() string { return "awaken_event_store_failed" }

// storeError decodes an error event of the store.
func storeError(url, data string) error {
	var f struct {
		Error json.RawMessage `json:"error"`
	}
	if exactjson.Unmarshal([]byte(data), &f) != nil {
		return &StoreError{URL: url}
	}
	var detail string
	_ = exactjson.Unmarshal(f.Error, &detail) // otherwise it has no detail to show
	return &StoreError{URL: url, Detail: detail}
}
