package protocol_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/handler"
	"github.com/turnwire/turnwire/bridge"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// client prints the agent's text, and permits nothing.
type client struct{ conn *jsonrpc2.Conn }

// Handle implements [jsonrpc2.Handler].
func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch {
	case req.Method == v1.MethodSessionUpdate:
		var n struct {
			Update struct {
				Kind    string `json:"sessionUpdate"`
				Content struct {
					Text string `json:"text"`
				} `json:"content"`
			} `json:"update"`
		}
		if err := json.Unmarshal(*req.Params, &n); err != nil {
			log.Print(err)
			return
		}
		if n.Update.Kind == "agent_message_chunk" {
			fmt.Println("agent:", n.Update.Content.Text)
		}
	case !req.Notif:
		if err := conn.ReplyWithError(ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no"}); err != nil {
			log.Print(err)
		}
	}
}

func (c *client) call(method string, params, result any) {
	if err := c.conn.Call(context.Background(), method, params, result); err != nil {
		log.Fatal(err)
	}
}

// This is a client for any ACP agent. Here, the agent is in the same process. Usually
// it is a child process, whose stdin and stdout replace the pipes.
func Example_client() {
	fromClient, toAgent := io.Pipe()
	fromAgent, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- bridge.Serve(context.Background(), fromClient, toClient,
			handler.New(agent.Info{Name: "echo"}, func(_ context.Context, t *handler.Turn) error {
				t.Text("You said: " + t.Prompt.Text)
				return nil
			}))
	}()

	c := &client{}
	stream := protocol.NewStream(fromAgent, toAgent, fromAgent.Close, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	c.conn = jsonrpc2.NewConn(context.Background(), stream, c)
	var hello v1.InitializeResponse
	c.call(v1.MethodInitialize, v1.InitializeRequest{ProtocolVersion: v1.Version}, &hello)
	fmt.Println("connected to", hello.AgentInfo.Name)
	var session v1.NewSessionResponse
	c.call(v1.MethodSessionNew, v1.NewSessionRequest{Cwd: os.TempDir()}, &session)
	var done v1.PromptResponse
	c.call(v1.MethodSessionPrompt, v1.PromptRequest{
		SessionID: session.SessionID,
		Prompt:    v1.Blocks{&v1.TextBlock{Text: v1.NewText("hello")}},
	}, &done)
	fmt.Println("stopped:", done.StopReason)
	if err := c.conn.Close(); err != nil {
		log.Fatal(err)
	}
	if err := <-served; err != nil {
		log.Fatal(err)
	}
	// Output:
	// connected to echo
	// agent: You said: hello
	// stopped: end_turn
}
