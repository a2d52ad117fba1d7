package wire_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// plainly decodes a line in the simplest possible way: encoding/json finds the
// type and its members, and a walk finds the other members.
func plainly(line []byte) (agent.Event, error) {
	var head struct {
		Type   *string         `json:"type"`
		TurnID json.RawMessage `json:"turnId"`
	}
	if err := exactjson.Unmarshal(line, &head); err != nil || head.Type == nil {
		return nil, dialect.ErrNotObject
	}
	clean := rawjson.CleanValue(line)
	e := variant(*head.Type)
	if e == nil {
		u := &agent.Unknown{Name: *head.Type, Raw: bytes.TrimSpace(clean)}
		_ = exactjson.Unmarshal(head.TurnID, &u.TurnID)
		return u, nil
	}
	body := clean
	if inPieces(e) {
		body = line // the normalizer reunites surrogate pairs
	}
	if err := exactjson.Unmarshal(body, e); err != nil {
		return nil, &dialect.MalformedError{Type: *head.Type, Raw: line, Err: err}
	}
	if failed, ok := e.(*agent.Error); ok && failed.Error == "" {
		var named struct {
			Message any `json:"message"`
		}
		_ = exactjson.Unmarshal(body, &named)
		failed.Error, _ = named.Message.(string)
	}
	defined := map[string]bool{"type": true}
	addMembers(defined, reflect.TypeOf(e).Elem())
	var extra []byte
	o := rawjson.Walk(clean)
	for {
		key, value, ok := o.Next()
		if !ok {
			e.Common().Extra = extra
			return e, nil
		}
		if defined[rawjson.String(key).String()] {
			continue
		}
		if extra != nil {
			extra = append(extra, ',')
		}
		extra = append(append(append(extra, '"'), key...), '"', ':')
		extra = append(extra, value...)
	}
}

func inPieces(e agent.Event) bool {
	switch e.(type) {
	case *agent.TextDelta, *agent.ThinkingDelta, *agent.ToolOutput, *agent.ToolArgsDelta:
		return true
	}
	return false
}

func variant(name string) agent.Event {
	for _, v := range agent.Variants() {
		if e := v.New(); e.Type() == name {
			return e
		}
	}
	return nil
}

func addMembers(defined map[string]bool, t reflect.Type) {
	for f := range t.Fields() {
		if f.Anonymous {
			addMembers(defined, f.Type)
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			defined[name] = true
		}
	}
}
