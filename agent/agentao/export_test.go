package agentao

// Tools is the dialect's table.
var Tools = tools
