package wire_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
)

// driven is a stream decoded with a driver's state.
type driven struct {
	*stream
	state *wire.State
	runs  []wire.Run // as reported to the driver
}

func drive(t *testing.T) *driven {
	t.Helper()
	d := &driven{stream: &stream{t: t}}
	d.state = wire.NewState(wire.Run{Thread: "before"}, func(r wire.Run) { d.runs = append(d.runs, r) })
	d.decoder = wire.NewDecoder(d.state)
	return d
}

func (d *driven) run() wire.Run { return d.runs[len(d.runs)-1] }

func TestADriverLearnsOfARunBeforeItsEvents(t *testing.T) {
	d := drive(t)
	require.Equal(t, wire.Run{Thread: "before"}, d.run())
	require.True(t, d.run().Unfinished())
	for _, c := range []struct {
		line string
		want func(r wire.Run) bool
	}{
		{began, func(r wire.Run) bool { return r.ID == "r1" && r.Thread == "th" && r.Phase == wire.Running && !r.Older }},
		{suspends("c1"), func(r wire.Run) bool { return len(r.Permissions("c1")) == 1 }},
		{paused, func(r wire.Run) bool { return r.Phase == wire.Suspended && len(r.Waiting) == 1 }},
		{began, func(r wire.Run) bool { return r.Phase == wire.Running && len(r.Waiting) == 1 }},
		{`{"event_type":"tool_call_resumed","target_id":"c1","result":"ok"}`, func(r wire.Run) bool { return len(r.Waiting) == 0 }},
		{finished, func(r wire.Run) bool { return r.Phase == wire.Ended && !r.Unfinished() }},
	} {
		err := d.decoder.Decode([]byte(c.line), func(agent.Event) bool {
			require.True(t, c.want(d.run()), "%s: %+v", c.line, d.run())
			return true
		})
		require.NoError(t, err)
		require.True(t, c.want(d.run()), "%s: %+v", c.line, d.run())
	}
}

func TestAKnownRunDoesNotChange(t *testing.T) {
	d := drive(t)
	d.add(began, suspends("c1"), suspends("c2"))
	was := d.run()
	d.add(`{"event_type":"tool_call_resumed","target_id":"c1","result":"ok"}`, suspends("c3"))
	require.Equal(t, []string{"c1", "c2"}, callsOf(was))
	require.Equal(t, []string{"c2", "c3"}, callsOf(d.run()))
}

func callsOf(r wire.Run) (ids []string) {
	for _, s := range r.Waiting {
		ids = append(ids, s.CallID)
	}
	return ids
}

func TestASuspensionIsFoundByItsIDAndByItsCall(t *testing.T) {
	a, b := wire.Suspension{ID: "a", CallID: "c"}, wire.Suspension{ID: "b", CallID: "c", Permission: true}
	r := wire.Run{Waiting: []wire.Suspension{a, b, {ID: "c", CallID: "other"}}}
	for id, want := range map[string]string{"a": "a", "b": "b", "c": "c", "other": "c"} {
		found, ok := r.Find(id)
		require.True(t, ok, id)
		require.Equal(t, want, found.ID, id)
	}
	_, ok := r.Find("none")
	require.False(t, ok)
	require.Equal(t, []wire.Suspension{b}, r.Permissions("c"))
	require.Equal(t, "a", r.Target(a), "its call has another one too")
	require.Equal(t, "other", r.Target(r.Waiting[2]))
}

func TestAnExpectedRunContinuesTheTurn(t *testing.T) {
	start := func(id string) string { return `{"type":"run_start","run_id":"` + id + `","thread_id":"th"}` }
	d := drive(t)
	require.Len(t, d.add(start("r1")), 1)
	require.True(t, d.run().Older)
	d.add(older("tool_call_ready", `{"id":"fc_x","name":"PermissionConfirm","arguments":{"tool_name":"deploy"}}`), older("run_finish", `{"termination":"suspended"}`))
	d.state.Expect()
	require.Empty(t, d.add(start("r2")), "the turn goes on")
	require.Equal(t, "r2", d.run().ID)
	require.Len(t, d.run().Waiting, 1)
	require.Len(t, d.add(start("r3")), 1, "nothing was expected")
	require.Empty(t, d.run().Waiting)
}

func TestEventsRepeatedByTheStoreAreDropped(t *testing.T) {
	store := []string{
		fact("1", "RunStarted", `{"run_id":"r1","event_type":"run_start","thread_id":"th"}`),
		fact("2", "TextDeltaObserved", textDelta("a")),
		fact("3", "TextDeltaObserved", textDelta("a")),
		fact("4", "RunQueued", `{"dispatch_id":"d"}`),
		fact("5", "TextDeltaObserved", textDelta("b")),
	}
	for name, stored := range map[string][]string{"all": store, "what is not only observed": {store[0], store[4]}} {
		t.Run(name, func(t *testing.T) {
			d := drive(t)
			require.Len(t, d.add(began, textDelta("a"), textDelta("a"), textDelta("b")), 4)
			require.Empty(t, d.add(stored...))
			require.Equal(t, "5", d.state.Cursor())
			require.Equal(t, []string{`{"type":"text_delta","text":"b"}`}, d.add(fact("6", "TextDeltaObserved", textDelta("b"))), "it is new")
			d.state.Rewind()
			require.Empty(t, d.state.Cursor())
			require.Empty(t, d.add(append(slices.Clone(stored), fact("6", "TextDeltaObserved", textDelta("b")))...))
			require.Len(t, d.add(fact("7", "TextDeltaObserved", textDelta("b"))), 1)
		})
	}
}

func TestInvalidCursorsAreIgnored(t *testing.T) {
	for _, cursors := range []string{"null", "7", "[]", `[7]`, `[{"scope":7,"cursor":"a"}]`, `[{"scope":{"scope_type":"run"},"cursor":7}]`} {
		d := drive(t)
		require.Len(t, d.add(`{"event_kind":"RunQueued","cursors_by_scope":`+cursors+`,"payload":{}}`), 1, cursors)
		require.Empty(t, d.state.Cursor(), cursors)
	}
}

func TestDecoderMemoryIsBounded(t *testing.T) {
	d := drive(t)
	d.add(began)
	asked := 0
	for i := range 5000 {
		id := fmt.Sprintf("c%d", i)
		d.add(ready(id))
		for _, e := range d.add(suspends(id)) {
			var kind struct{ Type string }
			requireJSON(t, e, &kind)
			if kind.Type == "tool_confirmation_request" {
				asked++
			}
		}
	}
	require.Equal(t, 256, asked)
	require.Len(t, d.run().Waiting, 256)
}

func TestRunningCallsAreRememberedHoweverManyEnd(t *testing.T) {
	s := newStream(t)
	s.add(began, ready("first"), computed)
	for i := range 1000 {
		s.add(ready(fmt.Sprintf("c%d", i)), done(fmt.Sprintf("c%d", i)))
	}
	require.Equal(t, []string{`{"type":"tool_output","toolCallId":"first","text":"x"}`},
		s.add(`{"event_type":"tool_call_stream_delta","id":"first","delta":"x"}`), "it is not announced again")
	require.Len(t, s.add(`{"event_type":"tool_call_stream_delta","id":"c1","delta":"x"}`), 2, "it was forgotten")
}
