package ahp

// Codes of errors, beside those of JSON-RPC.
const (
	CodeNoSession     = -32001
	CodeNoProvider    = -32002
	CodeSessionExists = -32003
	CodeTurnRuns      = -32004
	CodeVersion       = -32005
	CodeNotFound      = -32008
	CodeDenied        = -32009
)

// ErrorInfo says what went wrong in a turn.
type ErrorInfo struct {
	ErrorType string `json:"errorType"`
	Message   string `json:"message"`
}
