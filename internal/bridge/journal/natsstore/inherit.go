package natsstore

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// inherit adopts the questions that the previous owner left. It records their
// decisions, unless the previous owner already did.
func (o *owned) inherit() error {
	left, err := o.questions.adopt()
	if err != nil || len(left) == 0 {
		return err
	}
	if err := o.recordLeft(left); err != nil {
		return err
	}
	ctx, cancel := o.store.conn.call()
	defer cancel()
	return o.questions.save(ctx, nil)
}

// recordLeft records the decisions about questions, except for those already in the
// journal.
func (o *owned) recordLeft(left []question) error {
	type decision struct {
		Time time.Time `json:"time"`
		Call string    `json:"toolCallId"`
	}
	var known []decision
	for r, err := range o.store.Read(o.header.ID, 1) {
		if err != nil {
			return err
		}
		var d decision
		if r.Type == journal.TypeDecision && exactjson.Unmarshal(r.Data, &d) == nil {
			known = append(known, d)
		}
	}
	var records []journal.Record
	for _, one := range left {
		var d decision
		if exactjson.Unmarshal(one.Decision, &d) != nil {
			continue // not one of ours
		}
		there := func(k decision) bool { return k.Call == d.Call && !k.Time.Before(one.Asked) }
		if !slices.ContainsFunc(known, there) {
			records = append(records, journal.Record{Time: time.Now(), Type: journal.TypeDecision, Data: one.Decision})
		}
	}
	if err := o.Append(o.Next(), records); err != nil {
		return err
	}
	return o.wait(settleTime)
}
