package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The fields of a form are asked in wire order.
func TestAFormKeepsItsOrder(t *testing.T) {
	r := play(t, `question {"sessionId":"s1","mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"string"},"mid":{"type":"string"}},"required":["mid"]}}`+"\nstop end_turn",
		Options{Answers: []string{"first", "second", "third"}})
	require.NoError(t, r.err)
	require.JSONEq(t, `{"action":"accept","content":{"zeta":"first","alpha":"second","mid":"third"}}`, r.answers)
}
