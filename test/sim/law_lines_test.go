package sim

import (
	"bytes"
	"fmt"
	"hash/maphash"
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
	// A relay passes on messages of methods that it doesn't know.
	if m := e.message; e.client.agent.Kind == acpAgent && (m.Method == unknownMethod || m.Method == methodPoll || m.Method != "" && !m.isRequest() && !slices.Contains(notifications, m.Method)) {
		return nil
	}
	// Part of a proposal; only clients that use its session/attach, or want them, get these.
	if (e.client.attaches || e.client.kind == traveller) && slices.Contains(aboutClients, e.message.params.Update.Type) {
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

// valid are the hashes of the forms of lines that were found valid.
var (
	valid    sync.Map
	hashSeed = maphash.MakeSeed()
)

// randomIDs are the beginnings of strings that Turnwire makes at random.
var randomIDs = []string{`"tw-`, `"messageId":"`}

// form returns a line without what makes most lines differ but not invalid: digits, random
// ids, and the padding of texts.
func form(line string) []byte {
	short := make([]byte, 0, min(len(line), 1<<10))
	for i := 0; i < len(line); i++ {
		b := line[i]
		switch {
		case '0' <= b && b <= '9':
			b = '0'
			fallthrough
		case b == padding[0]:
			if n := len(short); n > 0 && short[n-1] == b {
				continue
			}
		case b == '"':
			for _, id := range randomIDs {
				if strings.HasPrefix(line[i:], id) {
					short = append(short, id...)
					i += len(id) + max(strings.IndexByte(line[i+len(id):], '"'), 0)
					break
				}
			}
			b = line[i]
		}
		short = append(short, b)
	}
	return short
}

// validate returns an error if a line is not valid as a message of a kind.
func validate(kind, line string) error {
	key := maphash.Bytes(hashSeed, append(form(line), kind...))
	if _, ok := valid.Load(key); ok {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err == nil {
		err = schemas()[kind].Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, line)
	}
	valid.Store(key, true)
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
