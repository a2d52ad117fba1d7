package acp

import (
	"bytes"
	"encoding/json"
)

// wire is a message as it is sent.
type wire struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

func encodeRequest(id int64, method string, params any) ([]byte, error) {
	raw, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	return encode(wire{ID: raw, Method: method, Params: params})
}

// encode returns the line of a message, without the newline. "<" stays "<".
func encode(m wire) ([]byte, error) {
	m.Version = "2.0"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(m)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
