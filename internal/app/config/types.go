package config

import "slices"

// The agent types.
const (
	TypeProcess   = "process"
	TypeACP       = "acp"
	TypeACPRemote = "acp-remote"
	TypeEthos     = "ethos"
	TypeEthosWeb  = "ethos-web"
	TypeAgentao   = "agentao"
	TypeAwaken    = "awaken"
	TypeAgentB    = "agentb"
	TypeAGUI      = "agui"
	TypeGlue      = "glue"
	TypeClaude    = "claude"
	TypeAISDK     = "aisdk"
)

// A Type is a way to reach an agent.
type Type struct {
	Name string
	Doc  string
	// Required and Optional are the members that agents of the type have. Any other
	// member is an error, because it would have no effect.
	Required, Optional []string
}

var (
	always  = []string{"type", "title", "tools", "startTimeout", "idleTimeout", "policy"}
	command = []string{"args", "env"}
)

// Types returns the types in the order in which help shows them.
func Types() []Type {
	return []Type{
		{TypeProcess, "a program that reads commands and prints events, one JSON object per line",
			[]string{"command"}, with(command, "dialect", "greetTimeout", "prompt")},
		{TypeACP, "a program that speaks the Agent Client Protocol, version 1",
			[]string{"command"}, with(command, "registry")},
		{TypeACPRemote, "a server that speaks the Agent Client Protocol over its remote transport, such as turnwire serve",
			[]string{"url"}, with(nil, "headers", "tokenFile")},
		{TypeEthos, "the Ethos command line: ethos acp", nil, with(command, "command", "personality")},
		{TypeEthosWeb, "the Ethos web server, which asks before it runs dangerous tools",
			[]string{"url"}, with(nil, "headers", "personality")},
		{TypeAgentao, "Agentao, installed in a Python environment", nil, with(command, "command")},
		{TypeAwaken, "an Awaken server", []string{"url"}, with(nil, "headers", "agentId")},
		{TypeAgentB, "an AgentB server", []string{"url"}, with(nil, "headers", "path", "toolOutputs", "cancelPath")},
		{TypeAGUI, "a server that speaks AG-UI, such as one made with LangGraph, Pydantic AI, Mastra or Agno",
			[]string{"url"}, with(nil, "headers", "context", "forwardedProps", "offerTools")},
		{TypeGlue, "the Glue command line: glue acp", nil, with(command, "command")},
		{TypeAISDK, "a chat route of the AI SDK (npm package ai)", []string{"url"}, with(nil, "headers")},
		{TypeClaude, "Claude Code's own command line: claude", nil, with(command, "command")},
	}
}

func with(names []string, more ...string) []string {
	return slices.Concat(always, names, more)
}

// typeOf returns the type with the given name.
func typeOf(name string) (Type, bool) {
	types := Types()
	i := slices.IndexFunc(types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return Type{}, false
	}
	return types[i], true
}

func typeNames() []string {
	var names []string
	for _, t := range Types() {
		names = append(names, t.Name)
	}
	return names
}

// Has reports whether agents of the type may have a member.
func (t Type) Has(name string) bool {
	return slices.Contains(t.Required, name) || slices.Contains(t.Optional, name)
}
