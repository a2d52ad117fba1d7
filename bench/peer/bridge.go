package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	acp "github.com/coder/acp-go-sdk"
)

// bridge implements [acp.Agent].
type bridge struct {
	command []string

	connected chan struct{} // closed when conn is set: the library starts to read before it returns conn
	conn      *acp.AgentSideConnection

	mu       sync.Mutex
	sessions map[acp.SessionId]*session
}

// Initialize implements [acp.Agent].
func (b *bridge) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	return acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber,
		AgentInfo:       &acp.Implementation{Name: "peer", Version: "1"},
	}, nil
}

// NewSession implements [acp.Agent]. It starts a child.
func (b *bridge) NewSession(_ context.Context, p acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	s, err := start(b.command, p.Cwd)
	if err != nil {
		return acp.NewSessionResponse{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.id = acp.SessionId("session-" + strconv.Itoa(len(b.sessions)+1))
	b.sessions[s.id] = s
	return acp.NewSessionResponse{SessionId: s.id}, nil
}

// Prompt implements [acp.Agent].
func (b *bridge) Prompt(ctx context.Context, p acp.PromptRequest) (acp.PromptResponse, error) {
	<-b.connected
	s, err := b.session(p.SessionId)
	if err != nil {
		return acp.PromptResponse{}, err
	}
	var text strings.Builder
	for _, block := range p.Prompt {
		if block.Text != nil {
			text.WriteString(block.Text.Text)
		}
	}
	if err := s.send(command{Type: "prompt", Text: text.String()}); err != nil {
		return acp.PromptResponse{}, err
	}
	reason, err := s.forward(ctx, b.conn)
	if err != nil {
		return acp.PromptResponse{}, err
	}
	return acp.PromptResponse{StopReason: reason}, nil
}

// Cancel implements [acp.Agent].
func (b *bridge) Cancel(_ context.Context, p acp.CancelNotification) error {
	s, err := b.session(p.SessionId)
	if err != nil {
		return err
	}
	return s.send(command{Type: "cancel"})
}

func (b *bridge) session(id acp.SessionId) (*session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.sessions[id]
	if !ok {
		return nil, fmt.Errorf("session %s not found", id)
	}
	return s, nil
}

// stop ends all children.
func (b *bridge) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.sessions {
		s.stop()
	}
}

// Authenticate implements [acp.Agent].
func (b *bridge) Authenticate(context.Context, acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
	return acp.AuthenticateResponse{}, nil
}

// The methods below are not supported.

// CloseSession implements [acp.Agent].
func (b *bridge) CloseSession(context.Context, acp.CloseSessionRequest) (acp.CloseSessionResponse, error) {
	return acp.CloseSessionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionClose)
}

// ListSessions implements [acp.Agent].
func (b *bridge) ListSessions(context.Context, acp.ListSessionsRequest) (acp.ListSessionsResponse, error) {
	return acp.ListSessionsResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionList)
}

// ResumeSession implements [acp.Agent].
func (b *bridge) ResumeSession(context.Context, acp.ResumeSessionRequest) (acp.ResumeSessionResponse, error) {
	return acp.ResumeSessionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionResume)
}

// SetSessionConfigOption implements [acp.Agent].
func (b *bridge) SetSessionConfigOption(context.Context, acp.SetSessionConfigOptionRequest) (acp.SetSessionConfigOptionResponse, error) {
	return acp.SetSessionConfigOptionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionSetConfigOption)
}

// SetSessionMode implements [acp.Agent].
func (b *bridge) SetSessionMode(context.Context, acp.SetSessionModeRequest) (acp.SetSessionModeResponse, error) {
	return acp.SetSessionModeResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionSetMode)
}
