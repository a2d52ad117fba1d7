package natsstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// dialPrefix starts the subjects on which servers accept tunnels, and tunnelPrefix
// those of tunnel ends.
const (
	dialPrefix   = "turnwire.dial."
	tunnelPrefix = "turnwire.tunnel."
)

// A dialing is a request for a tunnel, and also its response.
type dialing struct {
	Service string `json:"service"`
	Subject string `json:"subject,omitempty"` // of the sender's end
	Refusal string `json:"refusal,omitempty"`
}

// Accept accepts tunnels that other servers dial. serve is called with the requested
// service. It returns a function that serves the tunnel until it ends, or nil if the
// service is unknown.
func (s *Store) Accept(serve func(service string) func(context.Context, *Tunnel)) error {
	_, err := s.conn.nc.Subscribe(dialPrefix+s.id, func(m *nats.Msg) {
		answer, begin := s.accept(m.Data, serve)
		text, err := json.Marshal(answer)
		if err == nil {
			err = m.Respond(text)
		}
		if err != nil {
			s.conn.log.Warn("a request from another server was not answered", "error", err)
		}
		begin()
	})
	return err
}

func (s *Store) accept(asked []byte, serve func(service string) func(context.Context, *Tunnel)) (answer dialing, begin func()) {
	begin = func() {}
	var d dialing
	if exactjson.Unmarshal(asked, &d) != nil || d.Subject == "" {
		return dialing{Refusal: "malformed request"}, begin
	}
	do := serve(d.Service)
	if do == nil {
		return dialing{Refusal: "unknown agent"}, begin
	}
	subject := tunnelPrefix + unique()
	t, err := newTunnel(s.conn, subject)
	if err != nil {
		return dialing{Refusal: err.Error()}, begin
	}
	return dialing{Service: d.Service, Subject: subject}, func() {
		t.begin(d.Subject)
		s.conn.work.Go(func() {
			do(s.conn.ctx, t)
			_ = t.Close()
		})
	}
}

// Dial opens a tunnel to a server, the Server of an [Owner].
func (s *Store) Dial(ctx context.Context, server, service string) (*Tunnel, error) {
	subject := tunnelPrefix + unique()
	t, err := newTunnel(s.conn, subject)
	if err != nil {
		return nil, fmt.Errorf("connect to the other server: %w", err)
	}
	answer, err := s.dial(ctx, server, dialing{Service: service, Subject: subject})
	if err != nil {
		t.finish(err)
		return nil, fmt.Errorf("connect to the other server: %w", err)
	}
	t.begin(answer.Subject)
	return t, nil
}

func (s *Store) dial(ctx context.Context, server string, d dialing) (answer dialing, err error) {
	asked, err := json.Marshal(d)
	if err != nil {
		return answer, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	m, err := s.conn.nc.RequestWithContext(ctx, dialPrefix+server, asked)
	if err != nil {
		return answer, err
	}
	if err := exactjson.Unmarshal(m.Data, &answer); err != nil {
		return answer, err
	}
	switch {
	case answer.Refusal != "":
		return answer, errors.New(answer.Refusal)
	case answer.Subject == "":
		return answer, errors.New("malformed response")
	}
	return answer, nil
}
