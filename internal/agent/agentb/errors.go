package agentb

// cutOffError reports that a stream ended before its run did.
type cutOffError struct {
	url    string
	status string // the run's last status, if it matters
}

// Error implements error.
func (e *cutOffError) Error() string {
	s := "the stream of " + e.url + " ended before the run did"
	if e.status != "" {
		s += " (" + e.status + ")"
	}
	return s + ". See the server's log; the next prompt continues the same conversation"
}

// Code implements lifecycle.Coded.
func (*cutOffError) Code() string { return "agent_cut_off" }
