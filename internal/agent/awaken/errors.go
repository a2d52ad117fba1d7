package awaken

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/exactjson"
)

var errNoStatus = errors.New("the server does not report the run's progress")

// unwired returns the error of a server that stores neither events nor records of
// runs, so that nothing can be read after a stream has ended. suspended means that the stream
// ended because the run waits for a decision.
func unwired(url string, suspended bool, cause error) error {
	text := fmt.Sprintf("%v. Awaken's server at %s stores no events, so the run could not be resumed and was cancelled. "+
		"Give the server an event store (its EventModule) to resume after a connection breaks", cause, url)
	if suspended {
		text = fmt.Sprintf("Awaken's server at %s stores no events, so the run was cancelled: its events after an approval could not be shown. "+
			"Give the server an event store (its EventModule), or allow the tool in the agent's permission rules", url)
	}
	return lifecycle.NewError("awaken_no_event_store", text, cause)
}

// storeError returns the error that an error event of the event store reports.
func storeError(url, data string) error {
	var f struct {
		Error json.RawMessage `json:"error"`
	}
	var detail string
	if exactjson.Unmarshal([]byte(data), &f) == nil && exactjson.Unmarshal(f.Error, &detail) == nil && detail != "" {
		detail = ": " + detail
	}
	return lifecycle.NewError("awaken_event_store_failed", fmt.Sprintf("the event store of Awaken's server at %s failed%s. See the server's log", url, detail), nil)
}
