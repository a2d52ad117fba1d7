package agentao

// Host returns the program that runs Agentao.
var Host = host
