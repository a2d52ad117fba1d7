package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFirstDifferenceIsNamed(t *testing.T) {
	const prompt, call = `{"prompt":"go"}` + "\n", `{"call":{"status":"pending","title":"Boil"},"kind":"tool_call"}` + "\n"
	for second, want := range map[string]string{
		`{"call":{"status":"failed","title":"Boil"},"kind":"tool_call"}` + "\n": `call.status is "failed" instead of "pending"`,
		`{"kind":"text","text":"Hi"}` + "\n":                                    `call is "<nil>" instead of "map[status:pending title:Boil]"`,
		call + call:                                                             "3 lines instead of 2",
	} {
		require.Equal(t, want, difference(prompt+call, prompt+second))
	}
}
