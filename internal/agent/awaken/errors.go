package awaken

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// EndedError says that a server ended a stream, and not the run.
type EndedError struct {
	URL   string
	Begun bool // the run had begun
}

// Error implements error.
func (e *EndedError) Error() string {
	when := "before the run had begun"
	if e.Begun {
		when = "in the middle of the run"
	}
	return fmt.Sprintf("Awaken's server at %s ended the stream %s. See the server's log", e.URL, when)
}

// Code implements driver.Coded.
func (*EndedError) Code() string { return "awaken_stream_ended" }

// UnwiredError says that a server keeps neither events nor records of runs, so
// that nobody can read what follows where a stream has ended.
type UnwiredError struct {
	URL       string
	Suspended bool // the stream ended because the run waits for a decision
	Err       error
}

// Error implements error.
func (e *UnwiredError) Error() string {
	if e.Suspended {
		return fmt.Sprintf("Awaken's server at %s keeps no events, so what follows an approval cannot be shown, and the run was cancelled. "+
			"Give the server an event store (its EventModule), or allow the tool in the agent's permission rules", e.URL)
	}
	return fmt.Sprintf("%v. Awaken's server at %s keeps no events, so the run cannot be read on, and was cancelled. "+
		"Give the server an event store (its EventModule) to go on where a connection breaks", e.Err, e.URL)
}

// Unwrap returns the cause.
func (e *UnwiredError) Unwrap() error { return e.Err }

// Code implements driver.Coded.
func (*UnwiredError) Code() string { return "awaken_no_event_store" }

// StoreError is what the event store says where its stream fails.
type StoreError struct {
	URL    string
	Detail string // "" where it says nothing
}

// Error implements error.
func (e *StoreError) Error() string {
	s := fmt.Sprintf("the event store of Awaken's server at %s failed", e.URL)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s + ". See the server's log"
}

// Code implements driver.Coded.
func (*StoreError) Code() string { return "awaken_event_store_failed" }

// storeError reads the error that the store has sent as an event.
func storeError(url, data string) error {
	var f struct {
		Error json.RawMessage `json:"error"`
	}
	if exactjson.Unmarshal([]byte(data), &f) != nil {
		return &StoreError{URL: url}
	}
	var detail string
	_ = exactjson.Unmarshal(f.Error, &detail) // else it says nothing that can be shown
	return &StoreError{URL: url, Detail: detail}
}
