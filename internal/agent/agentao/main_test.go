package agentao_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func TestMain(m *testing.M) {
	child.RunGuard()
	goleak.VerifyTestMain(m)
}
