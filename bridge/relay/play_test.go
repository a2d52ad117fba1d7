package relay_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/relay"
)

var update = flag.Bool("update", false, "write what was seen into the transcripts")

// patience only ends a test that hangs.
const patience = 30 * time.Second

// TestTranscripts plays the conversations in testdata. Each line is a step:
//
//	editor> the editor writes this line
//	editor< it reads this one
//	agent>  the agent writes this line
//	agent<  it reads this one
//	agent starts, agent exits N
//	patience is short (for an agent that does not end a cancelled turn)
//	sessions are kept
//	rules decide (see rules; what was decided is told at the end)
//	editor starts again (with another relay, after the end of the first)
//
// A step begins when the one before it is done, so that there is one order.
// Lines that begin with # say what happens.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			got := play(t, string(text))
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
				return
			}
			require.Equal(t, string(text), got)
		})
	}
}

type relayConfig = relay.Config

// A stage is a relay between an editor and an agent that the test plays.
type stage struct {
	t      *testing.T
	in     net.Conn
	out    *bufio.Reader
	agents net.Listener
	agent  net.Conn
	heard  *bufio.Reader
	served chan error
}

func setUp(t *testing.T, change func(*relay.Config)) *stage {
	t.Helper()
	agents, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	in, relayIn := net.Pipe()
	out, relayOut := net.Pipe()
	for _, c := range []net.Conn{in, out} {
		require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	}
	cfg := relay.Config{
		Name: "teapot", Args: []string{os.Args[0]}, Env: append(os.Environ(), agentVariable+"="+agents.Addr().String()),
		Version: "1.2.3", In: relayIn, Out: relayOut, CloseIn: relayIn.Close, Log: slog.New(slog.DiscardHandler),
		CancelGrace: time.Hour,
	}
	if change != nil {
		change(&cfg)
	}
	s := &stage{t: t, in: in, out: bufio.NewReader(out), agents: agents, served: make(chan error, 1)}
	go func() { s.served <- relay.Serve(context.Background(), cfg) }()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		_ = agents.Close()
		if s.agent != nil {
			_ = s.agent.Close()
		}
	})
	return s
}

// start waits for the agent to be started.
func (s *stage) start() {
	s.t.Helper()
	require.NoError(s.t, s.agents.(*net.TCPListener).SetDeadline(time.Now().Add(patience)))
	if s.agent != nil {
		_ = s.agent.Close()
	}
	c, err := s.agents.Accept()
	require.NoError(s.t, err, "the agent was not started")
	require.NoError(s.t, c.SetDeadline(time.Now().Add(patience)))
	s.agent, s.heard = c, bufio.NewReader(c)
}

func (s *stage) write(to io.Writer, text string) {
	s.t.Helper()
	_, err := io.WriteString(to, text)
	require.NoError(s.t, err)
}

func (s *stage) read(from *bufio.Reader, who string) string {
	s.t.Helper()
	line, err := from.ReadString('\n')
	require.NoError(s.t, err, "%s: nothing came but %q", who, line)
	return strings.TrimSuffix(line, "\n")
}

// end ends the input of the relay, and returns what the editor still reads.
func (s *stage) end() (rest []string) {
	s.t.Helper()
	require.NoError(s.t, s.in.Close())
	if s.agent != nil { // it ends with its input, as agents do
		go func() {
			_, _ = io.Copy(io.Discard, s.heard)
			_ = s.agent.Close()
		}()
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			require.True(s.t, errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe), "%v", err)
			break
		}
		rest = append(rest, strings.TrimSuffix(line, "\n"))
	}
	require.NoError(s.t, <-s.served)
	return rest
}

// What differs from run to run.
var (
	exits   = regexp.MustCompile("the agent `[^`]*`")
	changed = regexp.MustCompile(`"updatedAt":"[^"]*"`)
	decided = regexp.MustCompile(`"time":"[^"]*"`)
)

// same is a line without what differs from run to run.
func same(line string) string {
	line = changed.ReplaceAllString(exits.ReplaceAllString(line, "the agent `teapot`"), `"updatedAt":"…"`)
	return decided.ReplaceAllString(line, `"time":"…"`)
}

// play plays a transcript, and returns it with what was read.
func play(t *testing.T, text string) string {
	t.Helper()
	const short, keeps, decide = "patience is short\n", "sessions are kept\n", "rules decide\n"
	var audit rules
	store := journal.NewFolder(t.TempDir())
	configure := func(c *relayConfig) {
		if strings.Contains(text, "\n"+short) {
			c.CancelGrace = time.Millisecond
		}
		if strings.Contains(text, "\n"+keeps) {
			c.Journal, c.Key = store, "teapot"
		}
		if strings.Contains(text, "\n"+decide) {
			c.Judge, c.Audit, c.Key = &audit, audit.note, "teapot"
			c.Hub = strings.Contains(text, "\nthe editor is a hub\n")
		}
	}
	s := setUp(t, configure)
	var b strings.Builder
	for step := range strings.Lines(text) {
		step = strings.TrimSuffix(step, "\n")
		who, line, _ := strings.Cut(step, " ")
		switch {
		case step == "" || who == "#":
		case step+"\n" == short, step+"\n" == keeps, step+"\n" == decide, step == "the editor is a hub":
		case step == "editor starts again":
			for _, line := range s.end() {
				b.WriteString("end< " + line + "\n")
			}
			s = setUp(t, configure)
		case who == "end<", who == "decided:":
			continue // they are read below
		case who == "editor>":
			s.write(s.in, line+"\n")
		case who == "agent>":
			s.write(s.agent, line+"\n")
		case who == "editor<":
			step = who + " " + same(s.read(s.out, step))
		case who == "agent<":
			step = who + " " + s.read(s.heard, step)
		case step == "agent starts":
			s.start()
		case strings.HasPrefix(step, "agent exits "):
			s.write(s.agent, strings.TrimPrefix(step, "agent exits ")+"\x00")
		default:
			require.Fail(t, "no step", "%q", step)
		}
		b.WriteString(step + "\n")
	}
	for _, line := range s.end() {
		b.WriteString("end< " + line + "\n")
	}
	for _, line := range audit.lines {
		b.WriteString("decided: " + line + "\n")
	}
	return b.String()
}
