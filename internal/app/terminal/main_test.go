package terminal

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// scriptVariable is the environment variable with the path of a script. If set, the test
// binary acts as the client in a separate terminal.
const scriptVariable = "TURNWIRE_TEST_SCRIPT"

func TestMain(m *testing.M) {
	if path := os.Getenv(scriptVariable); path != "" {
		os.Exit(terminalTurn(path))
	}
	goleak.VerifyTestMain(m)
}

// terminalTurn runs the script in the file at path like `turnwire run` runs a turn with an
// agent.
func terminalTurn(path string) int {
	script, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	stream, in, out := pipes()
	go newScriptedAgent(in, out, string(script)).run()
	opts := ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	opts.Prompt, opts.Cwd = "go", "/"
	code, err := Run(context.Background(), stream, opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	return code
}
