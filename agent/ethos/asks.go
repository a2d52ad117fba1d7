package ethos

// maxAsks bounds each kind of what is remembered of what was asked.
const maxAsks = 1 << 8

// asks are the approvals and questions that were asked.
type asks struct {
	calls    map[string]string   // call ids by approval id
	denied   map[string]struct{} // calls that were not approved
	defaults map[string]string   // answers that stand in for missing ones, by question
}

func newAsks() asks {
	return asks{calls: make(map[string]string), denied: make(map[string]struct{}), defaults: make(map[string]string)}
}

func (a *asks) ask(approvalID, callID string) {
	if len(a.calls) >= maxAsks {
		clear(a.calls)
	}
	a.calls[approvalID] = callID
}

// resolve forgets an approval and returns the call that it was for. Where that
// is not known, the approval's own id names no call, and so nothing is shown.
func (a *asks) resolve(approvalID string, allowed bool) (callID string) {
	callID, ok := a.calls[approvalID]
	if !ok {
		return approvalID
	}
	delete(a.calls, approvalID)
	if !allowed {
		if len(a.denied) >= maxAsks {
			clear(a.denied)
		}
		a.denied[callID] = struct{}{}
	}
	return callID
}

// wasDenied tells it once: an id may come again.
func (a *asks) wasDenied(callID string) bool {
	_, denied := a.denied[callID]
	delete(a.denied, callID)
	return denied
}

// offer remembers the answer that Ethos takes where it gets none.
func (a *asks) offer(questionID, answer string) {
	if len(a.defaults) >= maxAsks {
		clear(a.defaults)
	}
	a.defaults[questionID] = answer
}

// settle forgets it.
func (a *asks) settle(questionID string) (answer string) {
	answer = a.defaults[questionID]
	delete(a.defaults, questionID)
	return answer
}
