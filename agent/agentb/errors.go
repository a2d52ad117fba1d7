package agentb

// cutOffError is a stream that ended before its run did.
type cutOffError struct {
	url    string
	status string // the last that the run said of itself, if that matters
}

// Error implements error.
func (e *cutOffError) Error() string {
	s := "the stream of " + e.url + " ended before the run did"
	if e.status != "" {
		s += " (" + e.status + ")"
	}
	return s + ". See the server's log; the next prompt goes on in the same conversation"
}

// Code implements [driver.Coded].
func (*cutOffError) Code() string { return "agent_cut_off" }
