package wire

import (
	"bytes"
	"math"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// usage converts the session's total cost, which the protocol reports, to the
// cost added since the last update. A lower total is a correction: it adds
// nothing until the previous maximum is exceeded. Costs in other currencies
// than US dollars become telemetry.
func (d *decoder) usage(raw []byte) error {
	var u struct {
		Used float64 `json:"used"`
		Size float64 `json:"size"`
		Cost *struct {
			Amount   float64 `json:"amount"`
			Currency string  `json:"currency"`
		} `json:"cost"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	e := &agent.Usage{InputTokens: tokens(u.Used), ContextWindow: tokens(u.Size)}
	if c := u.Cost; c != nil {
		if c.Currency == "USD" {
			e.EstimatedCostUSD = max(0, c.Amount-d.spent)
			d.spent = max(d.spent, c.Amount)
		} else {
			d.say(&agent.Telemetry{Name: "usage_update", Data: bytes.Clone(raw)})
		}
	}
	d.say(e)
	return nil
}

func tokens(n float64) int64 {
	if n >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(max(0, n))
}
