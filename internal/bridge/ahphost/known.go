package ahphost

// known is what the host remembers of a client, in case it reconnects.
type known struct {
	version string
	// states are the numbers as of which the client was sent a channel's state, by the client's
	// name of the channel. A client that has only seen smaller numbers did not read that. It may
	// know an older state, for example from a host that was stopped.
	states map[string]int64
}

// remember stores the version that a client speaks.
func (cs *clients) remember(id, version string) {
	k := cs.known[id]
	if k == nil && len(cs.known) < maxChannels {
		k = &known{states: make(map[string]int64)}
		cs.known[id] = k
	}
	if k != nil {
		k.version = version
	}
}

// version returns the version that a client speaks, or "".
func (cs *clients) version(id string) string {
	if k := cs.known[id]; k != nil {
		return k.version
	}
	return ""
}

// noteState records that a client is sent a channel's state as of a number that no other state
// or action has.
func (cs *clients) noteState(id, channel string, number int64) {
	k := cs.known[id]
	if k == nil {
		return
	}
	if _, again := k.states[channel]; again || len(k.states) < maxChannels {
		k.states[channel] = number
	}
}

// forgetState records that a client no longer follows a channel.
func (cs *clients) forgetState(id, channel string) {
	if k := cs.known[id]; k != nil {
		delete(k.states, channel)
	}
}

// hasState reports whether a client that has seen a number has read a channel's state.
func (cs *clients) hasState(id, channel string, seen int64) bool {
	k := cs.known[id]
	if k == nil {
		return false
	}
	number, sent := k.states[channel]
	return sent && number <= seen
}
