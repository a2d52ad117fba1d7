package tools

import (
	"fmt"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// An allowance is the effect of "allow always": it permits one tool on one
// target.
type allowance struct{ tool, target string }

// allowances is a set of allowances. The zero value is empty.
type allowances struct {
	mu   sync.Mutex
	made map[allowance]bool
}

func (a *allowances) has(k allowance) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.made[k]
}

func (a *allowances) add(k allowance) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.made == nil {
		a.made = make(map[allowance]bool)
	}
	a.made[k] = true
}

// confirm asks whether the call may run on target. It returns nil only if the
// user allows it, or earlier chose "allow always", of which always says what it
// covers. If the mode forbids the call, the user is not asked, and a pending
// answer has no effect.
func (c *call) confirm(target, reason, always string) error {
	if err := c.box.permits(); err != nil {
		return err
	}
	if err := c.requestConsent(target, reason, always); err != nil {
		return err
	}
	return c.box.permits()
}

func (c *call) requestConsent(target, reason, always string) error {
	key := allowance{c.name, target}
	if c.box.allowed.has(key) {
		return nil
	}
	answer, forget := c.box.confirmations.expect(c.id)
	defer forget()
	asked := c.emit(&agent.ConfirmationRequested{
		ConfirmationID: c.id, // a call has only one confirmation
		ToolCallID:     c.id,
		ToolName:       c.name,
		Args:           c.args,
		Reason:         reason,
		Options: []agent.ConfirmationOption{
			{ID: string(agent.AllowOnce), Kind: agent.AllowOnce},
			{ID: string(agent.AllowAlways), Kind: agent.AllowAlways, Name: "Always allow " + always + " in this session"},
			{ID: string(agent.RejectOnce), Kind: agent.RejectOnce},
		},
		Partial: len(c.view.Diffs) > 0, // what they show is written here
		View:    c.view,
	})
	response := agent.ConfirmationResponse{Decision: agent.NotDecided}
	select {
	case response = <-answer:
	case <-c.turn.Context().Done():
	}
	// If a cancel arrived together with the answer, the cancel wins: nothing
	// starts after it.
	if c.turn.Context().Err() != nil {
		response = response.Refused()
	}
	if asked {
		c.conclude(&agent.ConfirmationResolved{ConfirmationID: c.id, ToolCallID: c.id, Decision: response.Decision})
	}
	switch response.Decision {
	case agent.AllowOnce:
		c.accepted = response.Accepted
		return nil
	case agent.AllowAlways:
		c.box.allowed.add(key)
		return nil
	case agent.RejectOnce, agent.RejectAlways:
		return fmt.Errorf("%w: you denied it", ErrRefused)
	}
	return fmt.Errorf("%w: it was not allowed", ErrRefused)
}

// maxQuoted limits what an option's name quotes, in bytes.
const maxQuoted = 60

// quoted returns text as code, or other if text is too long for the name of an option.
func quoted(text, other string) string {
	if len(text) > maxQuoted || strings.ContainsAny(text, "`\r\n") {
		return other
	}
	return "`" + text + "`"
}
