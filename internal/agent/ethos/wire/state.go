package wire

// What is remembered of a stream is bounded, whatever it says.
const (
	maxCalls = 1 << 10
	maxArgs  = 64 << 10
	maxAsks  = 1 << 8
	maxTodos = 1 << 8
)

// state is what the decoder remembers of a stream.
type state struct {
	prompt    prompt
	calls     calls
	approvals map[string]string // the ids of calls by those of their approvals
	denied    map[string]bool   // the calls that were not approved
	defaults  map[string]string // the answers that stand in for missing ones, by question
	plan      plan
	warning   string // the last progress of the loop itself
	limited   bool   // the turn has used up its tool calls
}

func newState() *state {
	return &state{calls: calls{}, approvals: map[string]string{}, denied: map[string]bool{}, defaults: map[string]string{}}
}

// begin forgets the previous turn. id is that of the prompt that runs, "" where
// none does. Approvals and questions stay: on the web they may outlive the events
// around them.
func (s *state) begin(id string) {
	s.prompt = prompt{id: id}
	clear(s.calls)
	s.warning, s.limited = "", false
}

// remember puts a value into a map, which is emptied first where it is full.
func remember[V any](m map[string]V, limit int, key string, value V) {
	if len(m) >= limit {
		clear(m)
	}
	m[key] = value
}

// take removes a value from a map.
func take[V any](m map[string]V, key string) (value V, ok bool) {
	value, ok = m[key]
	delete(m, key)
	return value, ok
}
