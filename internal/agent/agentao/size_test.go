package agentao_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/agentao"
)

// On Windows, a command line has at most 32,767 characters, and each
// quotation mark counts twice.
func TestTheHostFitsIntoACommandLine(t *testing.T) {
	const most, others = 32_767, 1_000
	require.Less(t, len(agentao.Host())+strings.Count(agentao.Host(), `"`), most-others)
}
