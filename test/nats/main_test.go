//go:build unix

package nats

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The programs that the tests run.
var turnwireBinary, natsBinary string

func TestMain(m *testing.M) {
	if os.Getenv("TURNWIRE_TEST_AGENT") != "" {
		runAgent()
		return
	}
	dir, err := os.MkdirTemp("", "turnwire-nats-")
	if err == nil {
		turnwireBinary, natsBinary = filepath.Join(dir, "turnwire"), filepath.Join(dir, "nats-server")
		err = build("../..", turnwireBinary, ".")
	}
	if err == nil {
		err = build(".", natsBinary, "github.com/nats-io/nats-server/v2")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func build(dir, out, what string) error {
	cmd := exec.Command("go", "build", "-o", out, what)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", what, err, text)
	}
	return nil
}

// runAgent is an agent that counts and asks. It appends each decision that it
// receives as a line to the file TURNWIRE_TEST_DECISIONS.
func runAgent() {
	say := func(event map[string]any) {
		text, err := json.Marshal(event)
		if err != nil {
			os.Exit(3)
		}
		if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
			os.Exit(3)
		}
	}
	pause, err := time.ParseDuration(os.Getenv("TURNWIRE_PAUSE"))
	if err != nil {
		pause = 10 * time.Millisecond // faster agents overload the clients on a slow machine
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	calls := 0
	for in.Scan() {
		var c struct{ Type, Text, SessionID, Decision, ConfirmationID string }
		if json.Unmarshal(in.Bytes(), &c) != nil {
			os.Exit(4)
		}
		switch c.Type {
		case "prompt":
			what, much, _ := strings.Cut(c.Text, " ")
			if what == "ask" {
				calls++
				call := fmt.Sprintf("call-%d-%d", os.Getpid(), calls)
				say(map[string]any{"type": "tool_confirmation_request", "confirmationId": call, "toolCallId": call, "toolName": "delete"})
				continue
			}
			n, _ := strconv.Atoi(much)
			for i := range n {
				say(map[string]any{"type": "text_delta", "text": fmt.Sprintf("%d ", i)})
				time.Sleep(pause) // like the speed of a model
			}
			say(map[string]any{"type": "done"})
		case "tool_confirmation_response":
			f, err := os.OpenFile(os.Getenv("TURNWIRE_TEST_DECISIONS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				os.Exit(5)
			}
			fmt.Fprintln(f, c.ConfirmationID, c.Decision)
			_ = f.Close()
			say(map[string]any{"type": "text_delta", "text": c.Decision})
			say(map[string]any{"type": "done"})
		}
	}
}
