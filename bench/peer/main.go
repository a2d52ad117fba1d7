// Command peer is the bridge that Turnwire is compared with: a straightforward bridge
// that a competent programmer writes in an afternoon, based on a well-maintained ACP
// library (github.com/coder/acp-go-sdk). For each session it starts its arguments as a
// child. It reads the child's AgentEvents with encoding/json and forwards each as one
// session update.
package main

import (
	"fmt"
	"log/slog"
	"os"

	acp "github.com/coder/acp-go-sdk"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: peer CMD [ARG…]")
		os.Exit(2)
	}
	b := &bridge{
		command:   os.Args[1:],
		connected: make(chan struct{}),
		sessions:  make(map[acp.SessionId]*session),
	}
	b.conn = acp.NewAgentSideConnection(b, os.Stdout, os.Stdin)
	b.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(b.connected)
	<-b.conn.Done()
	b.stop()
}
