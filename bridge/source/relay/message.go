package relay

// Methods that the relay looks into. All others pass unseen.
const (
	methodInitialize = "initialize"
	methodNew        = "session/new"
	methodLoad       = "session/load"
	methodResume     = "session/resume"
	methodFork       = "session/fork"
	methodClose      = "session/close"
	methodDelete     = "session/delete"
	methodList       = "session/list"
	methodSetTitle   = "session/set_title"
	methodPrompt     = "session/prompt"
	methodCancel     = "session/cancel"
	methodUpdate     = "session/update"
	methodPermission = "session/request_permission"
	methodElicit     = "elicitation/create"
	methodCancelCall = "$/cancel_request"
)
