package sim

import (
	"bytes"
	"fmt"
	"regexp"
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
	if e.kind != shown {
		return nil
	}
	// A relay passes on notifications of methods that it doesn't know.
	if m := e.message; e.client.agent.ACP && m.Method != "" && !m.isRequest() && !slices.Contains(notifications, m.Method) {
		return nil
	}
	// Part of a proposal; only clients that use its session/attach get these.
	if e.client.attaches && slices.Contains(aboutClients, e.message.params.Update.Type) {
		return nil
	}
	kind := "AgentResponse"
	switch {
	case e.message.isRequest():
		kind = "AgentRequest"
	case e.message.Method != "":
		kind = "AgentNotification"
	}
	return validate(kind, e.message.line)
}

// numbers matches what makes most lines differ: the numbers in tokens, ids and times.
var numbers = regexp.MustCompile(`[0-9]+`)

// valid are the lines that were found valid, with all numbers replaced by 0: whether a
// line is valid doesn't depend on them.
var valid sync.Map

// validate returns an error if a line is not valid as a message of a kind.
func validate(kind, line string) error {
	form := kind + numbers.ReplaceAllString(line, "0")
	if _, ok := valid.Load(form); ok {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err == nil {
		err = schemas()[kind].Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, line)
	}
	valid.Store(form, true)
	return nil
}

// notifications are the methods of the notifications that a client may get.
var notifications = []string{"session/update", "$/cancel_request", "elicitation/complete"}

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
