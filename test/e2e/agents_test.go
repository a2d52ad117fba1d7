//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// agentArgument makes this test binary an agent.
const agentArgument = "an-agent-of-the-e2e-tests"

// with returns a command line of turnwire with an agent of this test binary.
func with(t *testing.T, name string, args ...string) []string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return append([]string{"acp", "--", self, agentArgument, name}, args...)
}

// runAgent runs one of the agents. A misbehaving agent misbehaves only in the
// first process of its working directory; the process that replaces it runs
// echo.
func runAgent(name string, args []string) {
	a := &agent{in: bufio.NewReader(os.Stdin)}
	agents := map[string]func(*agent, []string){
		"echo":         (*agent).echo,
		"noisy":        (*agent).noisy,
		"half-a-line":  (*agent).halfALine,
		"stderr-flood": (*agent).stderrFlood,
		"crash":        firstTime((*agent).crash),
		"crash-before": (*agent).crashBefore,
		"deaf":         firstTime((*agent).deaf),
		"stubborn":     firstTime((*agent).stubborn),
		"endless":      firstTime((*agent).endless),
		"counting":     (*agent).counting,
		"telltale":     (*agent).telltale,
		"impatient":    (*agent).impatient,
		"obedient":     (*agent).obedient,
		"chatty":       (*agent).chatty,
		"lengthy":      (*agent).lengthy,
		"saving":       (*agent).saving,
		"repeating":    (*agent).repeating,
	}
	agents[name](a, args)
}

// startedFile marks the directory of an agent that was started before.
const startedFile = "started-before"

// firstTime runs misbehave the first time in a directory, and echo after that.
func firstTime(misbehave func(*agent, []string)) func(*agent, []string) {
	return func(a *agent, args []string) {
		f, err := os.OpenFile(startedFile, os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			a.echo(args)
			return
		}
		_ = f.Close()
		misbehave(a, args)
	}
}

type agent struct{ in *bufio.Reader }

type command struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Decision string `json:"decision"`
}

// command reads the next command. EOF on stdin ends the agent.
func (a *agent) command() command {
	line, err := a.in.ReadBytes('\n')
	if err != nil {
		os.Exit(0)
	}
	var c command
	if err := json.Unmarshal(line, &c); err != nil {
		panic(err)
	}
	return c
}

func (a *agent) prompt() string {
	for {
		if c := a.command(); c.Type == "prompt" {
			return c.Text
		}
	}
}

func print(line string) {
	if _, err := os.Stdout.WriteString(line); err != nil {
		os.Exit(0)
	}
}

func say(text string) {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	print(`{"type":"text_delta","text":` + string(raw) + "}\n")
}

func done() { print(`{"type":"done","text":""}` + "\n") }

// forever blocks. A timer keeps the runtime of a program without cgo from
// reporting a deadlock.
func forever() {
	for range time.Tick(time.Hour) {
	}
}

// echo answers with a prompt's length and beginning.
func (a *agent) echo([]string) {
	for {
		text := a.prompt()
		say(fmt.Sprintf("echo of %d bytes: %.40s", len(text), text))
		done()
	}
}

// noisy prints all kinds of lines that are not events.
func (a *agent) noisy([]string) {
	for {
		a.prompt()
		print("\ufeffLoading model... 100%\n\n\r\n[1,2,3]\nnull\n42\n\"text\"\n{\"type\":}\n{}\n{\"type\":7}\n")
		print("\x1b[31mred\x1b[0m \x00\xff\xfe not UTF-8\n")
		print(`{"type":"text_delta","text":"one "}` + "\r\n")
		print(`{"type":"an_event_of_tomorrow","text":"unseen","n":123456789012345678901234567890}` + "\n")
		print(`{"type":"text_delta","text":{"not":"a string"}}` + "\n")
		print(`{"type":"tool_end","toolCallId":[]}` + "\n")
		print(`  {"type" : "text_delta", "text":"two "}  ` + "\n")
		print(strings.Repeat("x", 1<<20) + "\n")
		print(`{"type":"text_delta","text":"three"}` + "\n")
		done()
	}
}

// halfALine ends without a newline after its last event.
func (a *agent) halfALine([]string) {
	a.prompt()
	say("the last ")
	print(`{"type":"done","text":"the last words"}`)
}

func (a *agent) stderrFlood([]string) {
	for {
		a.prompt()
		line := strings.Repeat("e", 1023) + "\n"
		for range 10 << 10 {
			_, _ = os.Stderr.WriteString(line)
		}
		say("after 10 MB of stderr")
		done()
	}
}

// crash exits in the middle of a turn.
func (a *agent) crash([]string) {
	a.prompt()
	print(`{"type":"tool_start","toolCallId":"c1","toolName":"think"}` + "\n")
	say("I am about to")
	_, _ = os.Stderr.WriteString("panic: the \x1b[31mreason\x1b[0m is at the end\n")
	os.Exit(3)
}

// crashBefore exits before it reads anything.
func (a *agent) crashBefore([]string) {
	_, _ = os.Stderr.WriteString("no configuration\n")
	os.Exit(4)
}

// deaf never reads its stdin.
func (a *agent) deaf([]string) {
	say("I am deaf")
	forever()
}

// stubborn reads commands and ignores them.
func (a *agent) stubborn([]string) {
	a.prompt()
	say("I go on")
	for {
		a.command()
	}
}

// endless prints without end and ignores its stdin.
func (a *agent) endless([]string) {
	a.prompt()
	for {
		say("on and on ")
	}
}

// counting prints the numbers from 0 to below the prompt's, each as an event. It
// records its progress in the file args[0].
func (a *agent) counting(args []string) {
	const atOnce = 100
	for {
		limit, err := strconv.Atoi(a.prompt())
		if err != nil {
			panic(err)
		}
		var lines strings.Builder
		for i := 0; i < limit; {
			lines.Reset()
			for end := min(i+atOnce, limit); i < end; i++ {
				fmt.Fprintf(&lines, `{"type":"text_delta","text":"%d "}`+"\n", i)
			}
			print(lines.String())
			if err := os.WriteFile(args[0], []byte(strconv.Itoa(i)), 0o600); err != nil {
				panic(err)
			}
		}
		done()
	}
}

// telltale prints secrets where they don't belong, and exits.
func (a *agent) telltale([]string) {
	text := a.prompt()
	secret := os.Getenv("E2E_SECRET")
	for _, s := range []string{secret, text} {
		print(s + "\n")
		print(`{"type":"text_delta","text":7,"leak":"` + s + `"}` + "\n")
		print(`{"type":"tool_end","toolCallId":["` + s + `"]}` + "\n")
		say(s)
		_, _ = os.Stderr.WriteString("I know " + s + "\n")
	}
	os.Exit(5)
}

// impatient asks, but doesn't wait for the answer. It waits until the test
// writes to the named pipe "asked".
func (a *agent) impatient([]string) {
	for {
		a.prompt()
		print(`{"type":"question","questionId":"q","question":"Go on?","options":["yes","no"]}` + "\n")
		_, _ = os.ReadFile("asked")
		print(`{"type":"question_answered","questionId":"q","answer":"no"}` + "\n")
		print(`{"type":"tool_confirmation_request","toolCallId":"c","toolName":"think"}` + "\n")
		_, _ = os.ReadFile("asked")
		print(`{"type":"tool_confirmation_resolved","toolCallId":"c","decision":"allow_once"}` + "\n")
		print(`{"type":"tool_end","toolCallId":"c","ok":true}` + "\n")
		done()
	}
}

// obedient prints numbers until it is cancelled, and records its progress in
// the file args[0].
func (a *agent) obedient(args []string) {
	for {
		a.prompt()
		cancelled := make(chan struct{})
		go func() {
			defer close(cancelled)
			for a.command().Type != "cancel" {
			}
			if err := os.WriteFile(args[0]+".cancelled", nil, 0o600); err != nil {
				panic(err)
			}
		}()
		for i := 0; !isClosed(cancelled); i++ {
			say(strconv.Itoa(i) + " ")
			if err := os.WriteFile(args[0], []byte(strconv.Itoa(i)), 0o600); err != nil {
				panic(err)
			}
		}
		print(`{"type":"done","text":"","stopReason":"cancelled"}` + "\n")
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// chatty sends as many events of all kinds as the prompt says.
func (a *agent) chatty([]string) {
	calls := 0
	for {
		steps, err := strconv.Atoi(a.prompt())
		if err != nil {
			panic(err)
		}
		for i := range steps {
			calls++
			print(fmt.Sprintf(`{"type":"thinking_delta","thinking":"thought %d, "}`+"\n", i))
			say(fmt.Sprintf("word %d, ", i))
			print(fmt.Sprintf(`{"type":"tool_start","toolCallId":"c%d","toolName":"build","args":{"n":%d}}`+"\n", calls, i))
			print(fmt.Sprintf(`{"type":"tool_output","toolCallId":"c%d","text":"output %d\n"}`+"\n", calls, i))
			say("meanwhile, ")
			print(fmt.Sprintf(`{"type":"tool_end","toolCallId":"c%d","ok":true,"result":"result %d"}`+"\n", calls, i))
			print(fmt.Sprintf(`{"type":"plan","entries":[{"content":"step %d","status":"completed"}]}`+"\n", i))
		}
		say("over.")
		done()
	}
}

// lengthy makes as many calls as the prompt says, each with a result of one
// kilobyte.
func (a *agent) lengthy([]string) {
	result, calls := strings.Repeat("r", 1<<10), 0
	for {
		n, err := strconv.Atoi(a.prompt())
		if err != nil {
			panic(err)
		}
		for range n {
			calls++
			print(fmt.Sprintf(`{"type":"tool_start","toolCallId":"c%d","toolName":"build"}`+"\n", calls))
			print(fmt.Sprintf(`{"type":"tool_end","toolCallId":"c%d","ok":true,"result":"%s"}`+"\n", calls, result))
		}
		done()
	}
}
