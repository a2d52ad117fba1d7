package acp_test

import (
	"encoding/json"
	"fmt"
	"os"
)

// settings are what the answer to session/new says of what can be chosen.
func (s *standin) settings() string {
	const modes = `"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"do","name":"Do"},{"id":"no","name":"No"}]}`
	switch s.kind {
	case "models":
		return modes + `,"models":{"currentModelId":"leaf-1","availableModels":[{"modelId":"leaf-1","name":"Leaf 1"},{"modelId":"leaf-2","name":"Leaf 2"}]}`
	case "options", "stubborn":
		s.careful = "ask"
		return modes + `,"configOptions":` + compact(s.options())
	}
	return modes
}

func (s *standin) options() string {
	return fmt.Sprintf(`[
		{"id":"careful","name":"Careful","category":"mode","type":"select","currentValue":%q,"options":[{"value":"ask","name":"Ask"},{"value":"do","name":"Do"},{"value":"no","name":"No"}]},
		{"id":"leaf","name":"Leaf","category":"model","type":"select","currentValue":"leaf-1","options":[{"group":"g","name":"Green","options":[{"value":"leaf-1","name":"Leaf 1"}]}]},
		{"id":"loud","name":"Loud","type":"boolean","currentValue":%t},
		{"id":"odd","name":"Odd","type":"slider","currentValue":7}]`, s.careful, s.loud)
}

// setting sets something, and tells it in the answer alone where there are
// options.
func (s *standin) setting(m message) {
	s.set = m.Method + " " + string(m.Params)
	var p struct {
		Mode   string `json:"modeId"`
		Option string `json:"configId"`
		Value  any    `json:"value"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		panic(err)
	}
	switch {
	case p.Mode == "no" || p.Value == "no":
		s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"not with this tea"}}`, m.ID)
		return
	case s.kind == "slow" && s.unpaid == nil:
		s.unpaid = m.ID
		if err := os.WriteFile(os.Getenv("ACP_STAND_IN_SEEN"), nil, 0o600); err != nil {
			panic(err)
		}
		return
	case s.kind == "slow":
		s.send(`{"jsonrpc":"2.0","id":%s,"result":{}}`, s.unpaid)
	}
	if p.Option == "" {
		s.send(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		return
	}
	if s.kind != "stubborn" {
		if loud, ok := p.Value.(bool); ok {
			s.loud = loud
		} else {
			s.careful = fmt.Sprint(p.Value)
		}
	}
	s.send(`{"jsonrpc":"2.0","id":%s,"result":{"configOptions":%s}}`, m.ID, compact(s.options()))
}

func compact(text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
