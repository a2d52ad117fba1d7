package config

import "github.com/turnwire/turnwire/agent"

// A File is the content of turnwire.json.
type File struct {
	Schema   string           `json:"$schema,omitempty" jsonschema:"description=For editors: the schema of this file."`
	Agents   map[string]Agent `json:"agents,omitempty" jsonschema:"description=Agents by the names that --agent takes: lower-case letters, digits, dots, dashes and underscores."`
	Sessions *Sessions        `json:"sessions,omitempty" jsonschema:"description=What is kept of sessions. Only in your own file."`
	Server   string           `json:"server,omitempty" jsonschema:"minLength=1,description=The server that turnwire acp attaches to: default for the one on your socket or the path of its socket. One that is not absolute is relative to this file. Only in your own file."`
	Store    *Store           `json:"store,omitempty" jsonschema:"description=Where turnwire serve keeps sessions instead of this machine. Only in your own file."`
	Policy   *Policy          `json:"policy,omitempty" jsonschema:"description=Which tool calls run without asking you and which never. In a project it can ask and deny alone."`
}

// An Agent describes how to reach an agent. Its type decides which other members it may
// have; see [Types].
type Agent struct {
	Type         string             `json:"type" jsonschema:"description=How the agent is reached."`
	Title        string             `json:"title,omitempty" jsonschema:"description=What the agent is called in turnwire agents."`
	Command      string             `json:"command,omitempty" jsonschema:"description=The program to run. One with a slash that is not absolute is relative to this file."`
	Args         []string           `json:"args,omitempty" jsonschema:"description=The program's arguments. Of agentao: what stands between the command and Python's own arguments, such as run and python for uv."`
	Env          map[string]Secret  `json:"env,omitempty" jsonschema:"description=Added to the program's environment. $NAME and ${NAME} are variables of Turnwire's own environment; $$ is a dollar sign."`
	URL          string             `json:"url,omitempty" jsonschema:"description=Where the server is: http:// or https:// and what its paths begin with. Of acp-remote: its endpoint, with wss://, ws://, https:// or http://."`
	Headers      map[string]Secret  `json:"headers,omitempty" jsonschema:"description=Sent with each request. $NAME and ${NAME} are variables of the environment, and so is the whole value env:NAME; $$ is a dollar sign."`
	TokenFile    string             `json:"tokenFile,omitempty" jsonschema:"description=A file with the token that the server wants. One that is not absolute is relative to this file."`
	Dialect      string             `json:"dialect,omitempty" jsonschema:"description=How the program writes its events. Absent: found by the first of them."`
	Tools        map[string]Tool    `json:"tools,omitempty" jsonschema:"description=How calls of tools are shown, by exact tool name. It wins over what is known of the tool and over what the agent says."`
	StartTimeout Duration           `json:"startTimeout,omitempty" jsonschema:"description=How long the agent may take until it first says something."`
	IdleTimeout  Duration           `json:"idleTimeout,omitempty" jsonschema:"description=How long the agent may say nothing while a turn runs and nobody is asked anything. Absent: for ever."`
	GreetTimeout Duration           `json:"greetTimeout,omitempty" jsonschema:"description=How long after its start the program is waited for to say agent_info. Absent: 500ms."`
	Prompt       *agent.PromptTakes `json:"prompt,omitempty" jsonschema:"description=What prompts may hold beside text as long as the program has not said agent_info."`
	AgentID      string             `json:"agentId,omitempty" jsonschema:"description=Which of the server's agents to use; the one called default where none is named."`
	Personality  string             `json:"personality,omitempty" jsonschema:"description=Which of Ethos' personalities to use."`
	Path         string             `json:"path,omitempty" jsonschema:"description=Where prompts are posted to, below the URL."`
	ToolOutputs  string             `json:"toolOutputs,omitempty" jsonschema:"description=Where the outputs of tools are posted to that the agent waits for, below the URL."`
	CancelPath   string             `json:"cancelPath,omitempty" jsonschema:"description=Where a cancel is posted to, below the URL."`
	Policy       *Policy            `json:"policy,omitempty" jsonschema:"description=Which of its tool calls run without asking you and which never. It comes before the policy for all agents."`
	Registry     Origin             `json:"registry,omitzero" jsonschema:"description=Which entry of a registry of ACP agents this is. turnwire agents add writes it and turnwire agents update reads it."`

	file    string
	project bool           // set if the file is a project's
	key     string         // agents.NAME
	lines   map[string]int // line of each key in the file
}

// An Origin names the registry entry that an agent was created from.
type Origin struct {
	ID      string `json:"id,omitempty" jsonschema:"description=The id of the entry."`
	Version string `json:"version,omitempty" jsonschema:"description=The version that is run."`
	From    string `json:"from,omitempty" jsonschema:"description=The URL or the file of the registry."`
}

// A Tool describes how to display calls of a tool.
type Tool struct {
	Kind    string `json:"kind,omitempty" jsonschema:"enum=read,enum=edit,enum=delete,enum=move,enum=search,enum=execute,enum=think,enum=fetch,enum=switch_mode,enum=other,description=The icon to show."`
	Verb    string `json:"verb,omitempty" jsonschema:"description=Begins the title: Read + the subject."`
	Subject string `json:"subject,omitempty" jsonschema:"description=The argument that the title ends with."`
	Path    string `json:"path,omitempty" jsonschema:"description=The argument that holds the path of a file."`
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
