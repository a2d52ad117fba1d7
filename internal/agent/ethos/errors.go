package ethos

// Error codes for errors without a code from Ethos.
const (
	codeNotStarted   = "agent_start_failed"
	codeExited       = "agent_exited"
	codeDisconnected = "agent_disconnected"
	codeUnauthorized = "unauthorized" // a token is missing or wrong
)
