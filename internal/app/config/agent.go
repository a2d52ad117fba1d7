package config

import (
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
)

// A File is the content of turnwire.json.
type File struct {
	Schema   string           `json:"$schema,omitempty" jsonschema:"description=The JSON Schema of this file, for editors."`
	Agents   map[string]Agent `json:"agents,omitempty" jsonschema:"description=The agents by name, as in --agent NAME. Names consist of lower-case letters, digits, dots, dashes and underscores."`
	Sessions *Sessions        `json:"sessions,omitempty" jsonschema:"description=Which sessions are saved. Only allowed in your own file."`
	Server   string           `json:"server,omitempty" jsonschema:"minLength=1,description=The server that turnwire acp attaches to: default for the server at the default address, auto to start it if it is not running, or the path of a socket, absolute or relative to this file. Only allowed in your own file."`
	Store    *Store           `json:"store,omitempty" jsonschema:"description=The shared store in which turnwire serve saves sessions, instead of on this machine. Only allowed in your own file."`
	Notify   *Notify          `json:"notify,omitempty" jsonschema:"description=Where turnwire serve sends notifications when no client is active. Only allowed in your own file."`
	Folders  []string         `json:"folders,omitempty" jsonschema:"minLength=1,description=Folders that the page of turnwire serve offers for new chats, absolute or relative to this file. Only allowed in your own file."`
	Policy   *Policy          `json:"policy,omitempty" jsonschema:"description=The rules for which tool calls run without asking and which never run. A project's file can only ask and deny."`
}

// An Agent describes how to reach an agent. Its type decides which other members it may
// have; see [Types].
type Agent struct {
	Type         string             `json:"type" jsonschema:"description=How Turnwire connects to the agent."`
	Title        string             `json:"title,omitempty" jsonschema:"description=The name to show for an agent that gives none."`
	Command      string             `json:"command,omitempty" jsonschema:"description=The program to run. A path with a slash is absolute or relative to this file."`
	Args         []string           `json:"args,omitempty" jsonschema:"description=The program's arguments. For agentao: arguments before Python's own, such as run and python for uv."`
	Env          map[string]Secret  `json:"env,omitempty" jsonschema:"description=Environment variables to add for the program. $NAME and ${NAME} are variables of Turnwire's own environment; $$ is a dollar sign."`
	URL          string             `json:"url,omitempty" jsonschema:"description=The server's base URL, with http:// or https://. For acp-remote: the endpoint's URL, with wss://, ws://, https:// or http://."`
	Headers      map[string]Secret  `json:"headers,omitempty" jsonschema:"description=HTTP headers to send with each request. $NAME, ${NAME}, and env:NAME as the whole value, are environment variables; $$ is a dollar sign."`
	TokenFile    string             `json:"tokenFile,omitempty" jsonschema:"description=A file with the server's token, absolute or relative to this file."`
	Dialect      string             `json:"dialect,omitempty" jsonschema:"description=The dialect of the program's events. Default: detected from the first event."`
	Tools        map[string]Tool    `json:"tools,omitempty" jsonschema:"description=How to show tool calls, by exact tool name. Overrides both the built-in rules and the agent's own descriptions."`
	StartTimeout Duration           `json:"startTimeout,omitempty" jsonschema:"description=The time limit for the agent's first output."`
	IdleTimeout  Duration           `json:"idleTimeout,omitempty" jsonschema:"description=How long the agent may be silent during a turn. The clock stops while the user is being asked. Default: forever."`
	GreetTimeout Duration           `json:"greetTimeout,omitempty" jsonschema:"description=How long to wait for agent_info after the program starts. Default: 500ms."`
	Prompt       *agent.PromptTakes `json:"prompt,omitempty" jsonschema:"description=The content to allow in prompts, besides text, until the program prints agent_info."`
	AgentID      string             `json:"agentId,omitempty" jsonschema:"description=The server's agent to use. Default: the agent called default."`
	Personality  string             `json:"personality,omitempty" jsonschema:"description=The Ethos personality to use."`
	Path         string             `json:"path,omitempty" jsonschema:"description=The path for prompts, below the URL."`
	ToolOutputs  string             `json:"toolOutputs,omitempty" jsonschema:"description=The path for tool outputs that the agent waits for, below the URL."`
	CancelPath   string             `json:"cancelPath,omitempty" jsonschema:"description=The path for cancel requests, below the URL."`
	Context      []Context          `json:"context,omitempty" jsonschema:"description=Information for the agent's model, sent with each prompt."`
	Forwarded    json.RawMessage    `json:"forwardedProps,omitempty" jsonschema:"description=Any JSON value for the agent, passed on unchanged with each prompt."`
	OfferTools   Offer              `json:"offerTools,omitempty" jsonschema:"description=Turnwire's own tools that the agent may use: true for all, or their names. It then reads the session's folders without asking."`
	Policy       *Policy            `json:"policy,omitempty" jsonschema:"description=The rules for this agent's tool calls. They take precedence over the policy for all agents."`
	Registry     Origin             `json:"registry,omitzero" jsonschema:"description=The agent's entry in an ACP agent registry. turnwire agents add writes it, and turnwire agents update reads it."`

	file    string
	project bool           // set if the file is a project's
	key     string         // agents.NAME
	lines   map[string]int // line of each key in the file
}

// A Context is a piece of information for an agent's model.
type Context struct {
	Description string `json:"description" jsonschema:"description=What the value is."`
	Value       string `json:"value" jsonschema:"description=The information."`
}

// An Origin names the registry entry that an agent was created from.
type Origin struct {
	ID      string `json:"id,omitempty" jsonschema:"description=The entry's id."`
	Version string `json:"version,omitempty" jsonschema:"description=The version to run."`
	From    string `json:"from,omitempty" jsonschema:"description=The registry's URL or file."`
}

// A Tool describes how to display calls of a tool.
type Tool struct {
	Kind    string `json:"kind,omitempty" jsonschema:"enum=read,enum=edit,enum=delete,enum=move,enum=search,enum=execute,enum=think,enum=fetch,enum=switch_mode,enum=other,description=The icon to show."`
	Verb    string `json:"verb,omitempty" jsonschema:"description=The first word of the title, such as Read, followed by the subject."`
	Subject string `json:"subject,omitempty" jsonschema:"description=The argument that contains the title's subject."`
	Path    string `json:"path,omitempty" jsonschema:"description=The argument that contains a file path."`
}

// File returns the path of the file that defines the agent, or "" if no file does.
func (a *Agent) File() string { return a.file }

// FromProject reports whether the agent is defined in a project's file. The user may
// never have read that file, so nothing it names is run before the user asks for it.
func (a *Agent) FromProject() bool { return a.project }

// Errorf returns an error about the agent's member called name.
func (a *Agent) Errorf(name, format string, args ...any) error {
	key := a.key + "." + name
	if a.file == "" {
		key = name
	}
	return &Error{File: a.file, Line: a.lines[key], Key: key, Err: errorf(format, args...)}
}
