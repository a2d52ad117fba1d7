package normalize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func TestOutputIsYieldedAsAPieceAndAsAWhole(t *testing.T) {
	w := turn(t).add(aTool)
	w.steps = nil
	w.add(output("a", "one "), output("a", "two ")).
		yields(`tool_output one [a x running] output "one "`, `tool_output two [a x running] output "one two "`)

	long := strings.Repeat("x", 100)
	w.add(output("a", long))
	w.steps = nil
	w.add(output("a", "!")).yields("tool_output ! [a x running]")
	require.True(t, w.normalizer.Waiting(), "it has grown too little to be sent again")
	w.flush().yields(fmt.Sprintf("tool_output [a x running] output %q", "one two "+long+"!"))
	w.flush().yields()

	w.add(output("a", "?"), aToolEnd).
		yields("tool_output ? [a x running]", fmt.Sprintf("tool_end r [a x completed] output %q", "one two "+long+"!?"))
	require.False(t, w.normalizer.Waiting())
}

func TestHalvesOfCharactersInOutputArePutTogether(t *testing.T) {
	w := turn(t).add(aTool)
	w.steps = nil
	w.add(output("a", `\ud83d`), output("a", `\ude42`), output("a", `\ud83e`), aToolEnd).
		yields(`tool_output 🙂 [a x running] output "🙂"`, `tool_end r [a x completed] output "🙂`+"\ufffd"+`"`)
}

func TestOutputsOfTwoCallsStayApart(t *testing.T) {
	w := turn(t).add(aTool, start("b", "y", ""))
	w.steps = nil
	w.add(output("a", `x\ud83d`), output("b", `\ude42y`), output("a", `\ude42`)).yields(
		`tool_output x [a x running] output "x"`, `tool_output `+"\ufffd"+`y [b y running] output "`+"\ufffd"+`y"`,
		`tool_output 🙂 [a x running] output "x🙂"`)
}

func TestLongOutputCostsAFewTimesItsLength(t *testing.T) {
	const lines, width = 35000, 80
	w := turn(t).add(aTool)
	var pieces, wholes, times int
	line := rawjson.String(strings.Repeat("x", width-2) + `\n`)
	for range lines {
		w.normalizer.Add(&agent.ToolOutput{ToolCallID: "a", Text: rawjson.Wrap(line)}, func(s normalize.Step) {
			e, ok := s.Event.(*agent.ToolOutput)
			require.True(t, ok)
			pieces += e.Text.Len()
			wholes += s.Output.Len()
			if !s.Output.IsZero() {
				times++
				require.LessOrEqual(t, s.Output.Len(), normalize.MaxOutput+100)
			}
		})
	}
	require.Equal(t, lines*width, pieces, "every piece is given once")
	require.LessOrEqual(t, wholes, 6*lines*width)
	require.Greater(t, times, 100, "and it is shown while it grows")
}

func TestTheEndOfLongOutputIsKept(t *testing.T) {
	w := turn(t).add(aTool)
	var all strings.Builder
	for i := range 4000 {
		piece := fmt.Sprintf("line %d of many that are printed\n", i)
		all.WriteString(piece)
		w.add(output("a", strings.ReplaceAll(piece, "\n", `\n`)))
	}
	var last rawjson.String
	w.normalizer.Add(&agent.ToolEnd{ToolCallID: "a", OK: true}, func(s normalize.Step) {
		w.step(s)
		last = rawjson.String(string(rawjson.Body(s.Output)))
	})
	mark, tail, cut := strings.Cut(last.String(), " bytes omitted …]\n")
	require.True(t, cut)
	require.True(t, strings.HasSuffix(all.String(), tail), "it is the end")
	require.Greater(t, len(tail), normalize.MaxOutput*9/10)
	var missing int
	_, err := fmt.Sscanf(mark, "[… %d", &missing)
	require.NoError(t, err)
	require.Equal(t, len(rawjson.Quote(all.String())), missing+len(rawjson.Quote(tail)), "it says how much is missing")
}
