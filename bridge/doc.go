// Package bridge serves an [agent.Agent] to an editor that speaks the Agent Client
// Protocol. Most programs only need [Serve].
package bridge
