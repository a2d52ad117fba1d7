package schema

import (
	"embed"
	"errors"
	"fmt"
	"strings"
)

//go:generate go run ./gen

// The names of the schemas.
const (
	AgentEvent         = "agent-event"
	AgentEventStrict   = "agent-event-strict"
	AgentCommand       = "agent-command"
	AgentCommandStrict = "agent-command-strict"
	ACPv1              = "acp-v1"
	Config             = "config"
)

// ErrUnknown is returned if no schema has the given name.
var ErrUnknown = errors.New("no such schema")

//go:embed *.schema.json
var files embed.FS

// Names returns the names of the schemas in the order in which help shows them.
func Names() []string {
	return []string{AgentEvent, AgentEventStrict, AgentCommand, AgentCommandStrict, ACPv1, Config}
}

// FileName returns the file name of the schema called name.
func FileName(name string) string { return name + ".schema.json" }

// ID returns the globally unique identifier ($id) of the schema called name.
func ID(name string) string {
	return "https://raw.githubusercontent.com/turnwire/turnwire/main/schema/" + FileName(name)
}

// Read returns the text of the schema called name. If it doesn't exist, the error wraps
// [ErrUnknown] and lists the existing names.
func Read(name string) ([]byte, error) {
	text, err := files.ReadFile(FileName(name))
	if err != nil {
		return nil, fmt.Errorf("%w: %q (there are %s)", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	return text, nil
}
