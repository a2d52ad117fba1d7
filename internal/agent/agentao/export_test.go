package agentao

// Host is the program that runs Agentao.
var Host = host
