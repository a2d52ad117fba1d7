package ethos

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// clientID identifies us to Ethos in decisions.
const clientID = "turnwire"

// rpc calls a procedure of Ethos. Input and output are wrapped in a "json"
// member.
func (b *webBackend) rpc(ctx context.Context, procedure string, in, out any) error {
	client := b.client.Load()
	if client == nil {
		return nil // nothing has been requested from Ethos yet
	}
	type envelope struct {
		JSON any `json:"json"`
	}
	answer := envelope{out}
	var into any
	if out != nil {
		into = &answer
	}
	return client.Call(ctx, http.MethodPost, "/rpc/"+procedure, envelope{in}, into)
}

// open opens the conversation's stream after the last event received.
func (b *webBackend) open(ctx context.Context) (*httpsse.Stream, error) {
	return b.client.Load().Stream(ctx, http.MethodGet, "/sse/sessions/"+url.PathEscape(b.session()), nil, b.lastID)
}

// An attachment is a file attached to a message.
type attachment struct {
	Type     string `json:"type"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	Name     string `json:"name,omitempty"`
}

// send sends a message, which starts a turn.
func (b *webBackend) send(ctx context.Context, p agent.Prompt) error {
	message := struct {
		ClientID      string       `json:"clientId"`
		Text          string       `json:"text"`
		SessionID     string       `json:"sessionId,omitempty"`
		PersonalityID string       `json:"personalityId,omitempty"`
		Attachments   []attachment `json:"attachments,omitempty"`
	}{clientID, unsteered(p.Text), b.session(), b.chosen(), nil}
	for _, block := range p.Blocks {
		if block.Type == "image" && block.Data != "" {
			message.Attachments = append(message.Attachments, attachment{"image", block.Data, block.MIMEType, block.Name})
		}
	}
	var sent struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.rpc(ctx, "chat/send", message, &sent); err != nil {
		return err
	}
	if sent.SessionID == "" {
		return &agentError{codeNotStarted, "POST " + b.client.Load().URL() + "/rpc/chat/send returned no session. Check the URL: this may be another server", nil}
	}
	b.setSession(sent.SessionID)
	return nil
}

// abort stops the running turn.
func (b *webBackend) abort(ctx context.Context) error {
	id := b.session()
	if id == "" {
		return nil // the sender of the message will abort the turn
	}
	return b.rpc(ctx, "chat/abort", map[string]string{"sessionId": id}, nil)
}

func (b *webBackend) approve(ctx context.Context, approvalID, scope string) error {
	return b.unlessSettled(b.rpc(ctx, "tools/approve", map[string]string{
		"approvalId": approvalID, "clientId": clientID, "scope": scope,
	}, nil))
}

func (b *webBackend) deny(ctx context.Context, approvalID, reason string) error {
	return b.unlessSettled(b.rpc(ctx, "tools/deny", map[string]string{
		"approvalId": approvalID, "clientId": clientID, "reason": reason,
	}, nil))
}

// Sources of an answer to a question.
const (
	sourceUser   = "user"
	sourceCancel = "cancel"
)

func (b *webBackend) respond(ctx context.Context, questionID, answer, source string) error {
	err := b.unlessSettled(b.rpc(ctx, "clarify/respond", map[string]string{
		"requestId": questionID, "answer": answer, "source": source,
	}, nil))
	if refused, ok := errors.AsType[*httpsse.StatusError](err); ok && refused.Status == http.StatusForbidden {
		return &agentError{refused.Code(), "Ethos does not accept answers from API keys. Answer in its web UI, " +
			"or sign in with the header Cookie: ethos_auth=TOKEN, where TOKEN is the content of ~/.ethos/web-token", err}
	}
	return err
}

// unlessSettled drops the error by which Ethos reports that nothing waits for
// an answer any more (INVALID_INPUT), because another window was quicker.
func (b *webBackend) unlessSettled(err error) error {
	e, ok := errors.AsType[*httpsse.StatusError](err)
	if ok && (e.Status == http.StatusBadRequest || e.Status == http.StatusNotFound) {
		b.log.Info("Ethos no longer waited for an answer", "error", err)
		return nil
	}
	return err
}

// refuseAll refuses all pending requests of Ethos, because nothing else would
// release them.
func (b *webBackend) refuseAll(ctx context.Context) error {
	approvals, questions := b.pending.takeAll()
	var failed []error
	for _, id := range approvals {
		err := b.deny(ctx, id, reasonCancelled)
		b.pending.answeredApproval(id, err == nil)
		failed = append(failed, err)
	}
	for _, id := range questions {
		err := b.respond(ctx, id, "", sourceCancel)
		b.pending.answeredQuestion(id, err == nil)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}
