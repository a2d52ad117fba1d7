package sim

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turnwire/turnwire/schema"
)

// validLines: each line that a client gets is complete and valid ACP, unless a relayed
// agent wrote it.
type validLines struct{}

func newValidLines() law { return validLines{} }

func (validLines) name() string { return "each line is valid ACP" }

func (validLines) see(_ *World, e *event) error {
	if e.kind == ended && e.rest != "" && !e.client.troubled {
		return fmt.Errorf("%s gets half a line: %q", e.client.name, e.rest)
	}
	// A relay passes on what it doesn't know.
	if e.kind != shown || e.client.agent.ACP && e.message.Method == unknownMethod {
		return nil
	}
	// Part of a proposal; only clients that use its session/attach get these.
	if e.client.attaches && slices.Contains(aboutClients, e.message.params.Update.Type) {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(e.message.line))
	if err != nil {
		return fmt.Errorf("%w: %s", err, e.message.line)
	}
	kind := "AgentResponse"
	switch {
	case e.message.isRequest():
		kind = "AgentRequest"
	case e.message.Method != "":
		kind = "AgentNotification"
	}
	if err := schemas()[kind].Validate(value); err != nil {
		return fmt.Errorf("%w: %s", err, e.message.line)
	}
	return nil
}

// aboutClients are the updates that tell clients about each other.
var aboutClients = []string{"prompt_received", "turn_complete", "permission_resolved", "client_disconnected"}

func (validLines) end(*World) error { return nil }

// schemas are the schemas of the messages that a client may get.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	compiled := make(map[string]*jsonschema.Schema)
	text, err := schema.Read(schema.ACPv1)
	if err != nil {
		panic(err) // it is embedded
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("acp.json", document); err != nil {
		panic(err)
	}
	for _, name := range []string{"AgentRequest", "AgentResponse", "AgentNotification"} {
		compiled[name] = c.MustCompile("acp.json#/$defs/" + name)
	}
	return compiled
})
