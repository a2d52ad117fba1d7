// Package bridge connects an editor and an agent: an editor that speaks the Agent
// Client Protocol, and an [agent.Agent]. It assembles what is below it: package
// source/events has the agent's sessions, and package view/acp shows them to the
// editor; package core is the contract between the two.
package bridge
