// Package thread holds what an AG-UI client knows of a conversation: its messages
// and the state that it shares with the agent. An AG-UI server may be stateless,
// so each run's input repeats all of it.
//
// Only calls that the model has finished writing are sent to the server, and
// activity messages never are. Reasoning is sent only with the encrypted value
// that makes it useful to a model.
package thread
