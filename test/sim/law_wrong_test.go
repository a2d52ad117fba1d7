package sim

import "fmt"

// wrongLaw: a request that names no session, or one that doesn't exist, fails. Only a prompt may be
// answered as cancelled instead, because its server stops before the agent has refused it.
type wrongLaw struct{}

func newWrong() law { return wrongLaw{} }

func (wrongLaw) name() string { return "requests that make no sense fail" }

func (wrongLaw) see(_ *World, e *event) error {
	if e.kind == shown && e.call != nil && e.call.wrong && len(e.message.Error) == 0 && e.message.result.StopReason != "cancelled" {
		return fmt.Errorf("%s succeeds with a wrong %s: %s", e.client.name, e.call.method, e.message.line)
	}
	return nil
}

func (wrongLaw) end(*World) error { return nil }
