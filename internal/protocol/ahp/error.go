package ahp

// Error codes in addition to JSON-RPC's.
const (
	CodeNoSession     = -32001
	CodeNoProvider    = -32002
	CodeSessionExists = -32003
	CodeTurnRuns      = -32004
	CodeVersion       = -32005
	CodeNotFound      = -32008
	CodeDenied        = -32009
)

// ErrorInfo describes why a turn failed.
type ErrorInfo struct {
	ErrorType string `json:"errorType"`
	Message   string `json:"message"`
}
