package nats

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// A decision is the outcome of a question, as recorded in the journal.
type decision struct {
	Verdict, By, Reason string
	FrontEnd            struct{ Name string }
}

func decisionsIn(t *testing.T, s journal.Store, session string) (all []decision) {
	t.Helper()
	for r, err := range s.Read(session, 1) {
		require.NoError(t, err)
		if r.Type != journal.TypeDecision {
			continue
		}
		var d decision
		require.NoError(t, json.Unmarshal(r.Data, &d))
		all = append(all, d)
	}
	return all
}

// made returns the record of a decision about a call.
func made(call, verdict string) []byte {
	return fmt.Appendf(nil, `{"time":%q,"toolCallId":%q,"verdict":%q}`, time.Now().UTC().Format(time.RFC3339Nano), call, verdict)
}
