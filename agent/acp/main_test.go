package acp_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent/transport/child"
)

// TestMain is also the stand-in agent, which the tests start as a child.
func TestMain(m *testing.M) {
	child.RunGuard()
	if script := os.Getenv(scriptVariable); script != "" {
		os.Exit(standIn(script))
	}
	goleak.VerifyTestMain(m)
}
