package wire

import "github.com/turnwire/turnwire/agent"

// Hot decodes by hand, and gives nil where it leaves a line to Cold.
func Hot(line []byte) agent.Event { return newDecoder().hot(line) }

// Cold decodes through encoding/json, as everything unusual is.
func Cold(line []byte) (agent.Event, error) { return cold(line) }
