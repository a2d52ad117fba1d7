package relay_test

import (
	"io"
	"net"
	"os"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent/transport/child"
)

// agentVariable makes the test binary an agent that the test plays: it passes
// its stdin on to this address, and its stdout is what comes from there.
const agentVariable = "RELAY_AGENT"

func TestMain(m *testing.M) {
	child.RunGuard()
	if address := os.Getenv(agentVariable); address != "" {
		os.Exit(playedAgent(address))
	}
	goleak.VerifyTestMain(m)
}

// playedAgent runs until the test ends the connection. It exits with the code
// that the last byte is.
func playedAgent(address string) int {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return 100
	}
	go func() {
		_, _ = io.Copy(c, os.Stdin)
		_ = c.(*net.TCPConn).CloseWrite()
	}()
	code := 0
	buf := make([]byte, 64<<10)
	for {
		n, err := c.Read(buf)
		if n > 0 && buf[n-1] == 0 { // the code is before it
			code, _ = strconv.Atoi(string(buf[:n-1]))
			return code
		}
		if _, failed := os.Stdout.Write(buf[:n]); failed != nil || err != nil {
			return code
		}
	}
}
