package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/invopop/jsonschema"

	"github.com/turnwire/turnwire/schema"
)

// generators maps the names of schemas to the functions that generate them.
var generators = map[string]func() (*jsonschema.Schema, error){
	schema.AgentEvent:         agentEvent,
	schema.AgentEventStrict:   closed(agentEvent),
	schema.AgentCommand:       agentCommand,
	schema.AgentCommandStrict: closed(agentCommand),
	schema.ACPv1:              acpV1,
	schema.Config:             configFile,
}

// main writes each schema into the working directory, and the SDK types that are derived
// from them. go generate runs it in the folder schema.
func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write() error {
	for _, name := range schema.Names() {
		text, err := generate(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(schema.FileName(name), text, 0o644); err != nil {
			return err
		}
	}
	v, err := newVocabulary()
	if err != nil {
		return err
	}
	for path, types := range sdks {
		if err := os.WriteFile(path, []byte(types(v)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// closed returns a function that generates the closed variant of open's schema.
func closed(open func() (*jsonschema.Schema, error)) func() (*jsonschema.Schema, error) {
	return func() (*jsonschema.Schema, error) {
		s, err := open()
		if err != nil {
			return nil, err
		}
		return strict(s), nil
	}
}

// generate returns the text of the schema called name.
func generate(name string) ([]byte, error) {
	s, err := generators[name]()
	if err != nil {
		return nil, err
	}
	s.Version = jsonschema.Version
	s.ID = jsonschema.ID(schema.ID(name))
	compact, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("indent: %w", err)
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}
