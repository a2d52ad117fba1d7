// Package bridge serves an [agent.Agent] to an editor that speaks the Agent Client
// Protocol: [Serve] with the editor's streams is all that a program needs.
package bridge
