package agui

// foreignError reports that a server streams events of another protocol.
type foreignError struct{ url string }

// Error implements error.
func (e *foreignError) Error() string {
	return "the events of " + e.url + " are not those of AG-UI. Check the URL: this may be another server"
}

// Code implements lifecycle.Coded.
func (*foreignError) Code() string { return "agent_unexpected_answer" }
