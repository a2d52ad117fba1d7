package ethos

// Error codes for errors without a code from Ethos.
const (
	codeNotStarted   = "agent_start_failed"
	codeExited       = "agent_exited"
	codeUnauthorized = "unauthorized" // a token is missing or wrong
)
