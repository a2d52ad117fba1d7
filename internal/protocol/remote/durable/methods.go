package durable

// The methods that matter here.
const (
	methodInitialize = "initialize"
	methodNew        = "session/new"
	methodLoad       = "session/load"
	methodResume     = "session/resume"
	methodFork       = "session/fork"
	methodList       = "session/list"
	methodClose      = "session/close"
	methodDelete     = "session/delete"
	methodAttach     = "session/attach"
	methodDetach     = "session/detach"
	methodPrompt     = "session/prompt"
	methodCancel     = "session/cancel"
	methodSetMode    = "session/set_mode"
	methodSetOption  = "session/set_config_option"
	methodUpdate     = "session/update"
	methodPermission = "session/request_permission"
	methodWithdraw   = "$/cancel_request"
)

// The updates about turns, from the proposal for session/attach.
const (
	turnBegins = "prompt_received"
	turnEnds   = "turn_complete"
)
