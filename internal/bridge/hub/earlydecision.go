package hub

// earlyDecisions are decisions about calls that the agent has not announced yet, by call. Many
// clients refuse an update of a call that they don't know.
type earlyDecisions map[string]change

// maxEarly bounds the decisions that wait: some calls are never announced.
const maxEarly = 64

// take returns the decision about the call that a change announces, if it waits.
func (e earlyDecisions) take(c *change) (decision change, ok bool) {
	if len(e) == 0 {
		return change{}, false
	}
	c.read()
	if !isCall(c.kind) {
		return change{}, false
	}
	decision, ok = e[c.call]
	delete(e, c.call)
	return decision, ok
}

// await keeps a decision until its call is announced.
func (h *history) await(call string, decision change) {
	if h.early == nil || len(h.early) >= maxEarly {
		h.early = make(earlyDecisions)
	}
	h.early[call] = decision
}

// announces reports whether the history may have a call. It does not search the shelf, which may
// have any.
func (h *history) announces(call string) bool {
	for i := len(h.changes) - 1; i >= 0; i-- {
		c := &h.changes[i]
		if c.read(); isCall(c.kind) && c.call == call {
			return true
		}
	}
	return len(h.shelf.last) > 0
}
