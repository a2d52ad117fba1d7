package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// abilities are what an agent has said that it can take. What is malformed is
// not there.
type abilities struct {
	Prompt struct {
		Image bool `json:"image"`
		Audio bool `json:"audio"`
		Embed bool `json:"embeddedContext"`
	} `json:"promptCapabilities"`
	MCP struct {
		HTTP bool `json:"http"`
		SSE  bool `json:"sse"`
	} `json:"mcpCapabilities"`
	Session struct {
		Roots any `json:"additionalDirectories"`
	} `json:"sessionCapabilities"`
}

// authMethod is a way to log in.
type authMethod struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Type        string   `json:"type"`
	Args        []string `json:"args"`
}

// handshake does the handshake, and says how it went by closing ready.
func (l *conn) handshake() {
	defer close(l.ready)
	ctx, cancel := context.WithTimeoutCause(l.ctx, l.config.StartTimeout, errSlow)
	defer cancel()
	if err := l.initialize(ctx); err != nil {
		l.failed = err
		return
	}
	l.failed = l.newSession(ctx)
}

// initialize initializes the connection.
func (l *conn) initialize(ctx context.Context) error {
	hello := v1.InitializeRequest{
		ProtocolVersion: v1.Version,
		ClientCapabilities: v1.ClientCapabilities{
			FS: v1.FileSystemCapabilities{ReadTextFile: l.files.canRead(), WriteTextFile: l.files.canWrite()},
			Session: &v1.ClientSessionCapabilities{
				Notices:       new(v1.Marker),
				Compaction:    new(v1.Marker),
				ConfigOptions: &v1.ConfigOptionsCapabilities{Boolean: new(v1.Marker)},
			},
			Elicitation: &v1.ElicitationCapabilities{Form: new(v1.Marker), URL: new(v1.Marker)},
		},
		ClientInfo: &v1.Implementation{Name: "turnwire", Title: "Turnwire", Version: version()},
	}
	var r struct {
		Version   json.RawMessage   `json:"protocolVersion"`
		Abilities json.RawMessage   `json:"agentCapabilities"`
		Auth      []json.RawMessage `json:"authMethods"`
	}
	if _, err := l.request(ctx, v1.MethodInitialize, hello, &r, nil); err != nil {
		return l.startError(ctx, v1.MethodInitialize, err)
	}
	if string(r.Version) != "1" {
		return &userError{codeProtocol, fmt.Sprintf("%s speaks version %.20s of the Agent Client Protocol, and Turnwire version 1: update the older of the two",
			l.command(), r.Version), nil}
	}
	_ = exactjson.Unmarshal(r.Abilities, &l.able) // what is malformed is not offered
	for _, raw := range r.Auth {
		var a authMethod
		if exactjson.Unmarshal(raw, &a) == nil {
			l.auth = append(l.auth, a)
		}
	}
	return nil
}

// newSession opens a session with the agent.
func (l *conn) newSession(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, l.config.StartTimeout, errSlow)
	defer cancel()
	params := v1.NewSessionRequest{Cwd: l.options.Cwd, MCPServers: l.servers()}
	if l.able.Session.Roots != nil {
		params.AdditionalDirectories = l.options.Roots
	} else if len(l.options.Roots) > 0 {
		l.log.Info("the agent takes no additional directories", "agent", l.config.Name)
	}
	var r struct {
		SessionID string `json:"sessionId"`
	}
	line, err := l.request(ctx, v1.MethodSessionNew, params, &r, l.opened)
	if err == nil && r.SessionID == "" {
		err = &userError{codeProtocol, l.command() + " opened a session without an id; is it an agent that speaks the Agent Client Protocol?", nil}
	}
	if err != nil {
		return l.startError(ctx, v1.MethodSessionNew, err)
	}
	l.mu.Lock()
	l.session = r.SessionID
	l.decoder.session = r.SessionID
	l.pending.keep("answer", line)
	l.mu.Unlock()
	l.news()
	return nil
}

// opened notes by which name the agent has opened a session: what it asks next
// may name it.
func (l *conn) opened(line []byte) {
	var a struct {
		Result struct {
			SessionID string `json:"sessionId"`
		} `json:"result"`
	}
	// What is wrong with it, whoever waits for the answer says.
	if exactjson.Unmarshal(line, &a) == nil && a.Result.SessionID != "" {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.session = a.Result.SessionID
	}
}

// request asks the agent and waits for the answer; see [jsonrpc.Conn.Call].
func (l *conn) request(ctx context.Context, method string, params, result any, heard func(line []byte)) (line []byte, err error) {
	a, err := l.rpc.Call(ctx, method, params, heard)
	if refusal, refused := errors.AsType[*jsonrpc.Error](err); refused {
		f, err := parseFailure(refusal.Raw)
		if err != nil {
			f = failure{Message: "an error that is none"}
		}
		return nil, &failureError{f}
	}
	if err != nil {
		return nil, err
	}
	return a.Line, unmarshal(a.Result, result)
}

// servers are the MCP servers that the agent can reach: all can start one,
// and not all can call one.
func (l *conn) servers() v1.MCPServers {
	out := v1.MCPServers{}
	for _, raw := range l.options.MCPServers {
		var s struct {
			Type string `json:"type"`
			Name string `json:"name"`
		}
		if exactjson.Unmarshal(raw, &s) == nil && (s.Type == "http" && !l.able.MCP.HTTP || s.Type == "sse" && !l.able.MCP.SSE) {
			l.log.Warn("the agent cannot reach an MCP server", "agent", l.config.Name, "server", s.Name, "transport", s.Type)
			continue
		}
		out = append(out, raw)
	}
	return out
}

var errSlow = errors.New("it took too long")

// startError is the error of a handshake for the user.
func (l *conn) startError(ctx context.Context, method string, err error) error {
	if f, ok := errors.AsType[*failureError](err); ok {
		if f.failure.Code == protocol.CodeAuthRequired {
			return l.loginError(f.failure)
		}
		return &userError{f.failure.name(), fmt.Sprintf("%s refused %s: %s", l.command(), method, f.failure.text()), err}
	}
	if context.Cause(ctx) == errSlow { //nolint:errorlint // it is the cause itself or not
		text := fmt.Sprintf("%s has not answered %s within %s; is it an agent that speaks the Agent Client Protocol%s?",
			l.command(), method, l.config.StartTimeout, l.where())
		return &userError{codeTimeout, text + l.lastWords(), err}
	}
	if _, ok := errors.AsType[*userError](err); ok {
		return err
	}
	return &userError{codeProtocol, fmt.Sprintf("%s answered %s with nonsense: %s", l.command(), method, err), err}
}

// loginError says how to log in, as far as the agent has said it.
func (l *conn) loginError(f failure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s needs a login (%s). ", l.config.Name, f.text())
	for _, a := range l.auth {
		if a.Type == "terminal" && l.config.URL == "" {
			fmt.Fprintf(&b, "%s: run `%s` in a terminal. ", a.title(), strings.Join(append([]string{l.config.Args[0]}, a.Args...), " "))
			continue
		}
		fmt.Fprintf(&b, "%s. ", strings.TrimSuffix(a.title()+": "+a.Description, ": "))
	}
	if len(l.auth) == 0 {
		b.WriteString("It does not say how; its own documentation does. ")
	}
	b.WriteString("Then send the prompt again.")
	return &userError{codeAuth, b.String(), nil}
}

// where is where a command speaks the protocol.
func (l *conn) where() string {
	if l.config.URL != "" {
		return ""
	}
	return " on its stdin and stdout"
}

func (a authMethod) title() string {
	if a.Name != "" {
		return a.Name
	}
	return a.ID
}

// version is that of this program, as the Go tools know it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// promptRequest is `PromptRequest`.
type promptRequest struct {
	SessionID string          `json:"sessionId"`
	Prompt    []agent.Content `json:"prompt"`
}
