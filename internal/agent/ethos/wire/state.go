package wire

// Limits of the state of a stream.
const (
	maxCalls = 1 << 10
	maxArgs  = 64 << 10
	maxAsks  = 1 << 8
	maxTodos = 1 << 8
)

// state is the decoder's state for a stream.
type state struct {
	prompt    prompt
	calls     calls
	approvals map[string]string // call ids by approval id
	denied    map[string]bool   // calls that were not approved
	defaults  map[string]string // default answers by question id
	plan      plan
	warning   string // the last progress message from Ethos's own loop
	limited   bool   // the turn has used up its tool calls
}

func newState() *state {
	return &state{calls: calls{}, approvals: map[string]string{}, denied: map[string]bool{}, defaults: map[string]string{}}
}

// begin drops the state of the previous turn. id is the id of the running prompt,
// or "". Approvals and questions are kept: in the web API, they may outlive the
// events around them.
func (s *state) begin(id string) {
	s.prompt = prompt{id: id}
	clear(s.calls)
	s.warning, s.limited = "", false
}

// remember adds a value to a map, after clearing the map if it is full.
func remember[V any](m map[string]V, limit int, key string, value V) {
	if len(m) >= limit {
		clear(m)
	}
	m[key] = value
}

// take removes a value from a map and returns it.
func take[V any](m map[string]V, key string) (value V, ok bool) {
	value, ok = m[key]
	delete(m, key)
	return value, ok
}
