package terminal

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A conversation is the client side of a chat: one session with any number of turns.
type conversation struct {
	*client

	id  string        // the session's id, once [*begun] was delivered
	ids atomic.Uint64 // request ids
}

// begun reports that the session is open, with its modes and options.
type begun struct {
	initialized initializeResult
	modes       *v1.SessionModeState
	options     []v1.ConfigOption
	meta        v1.Meta
}

// failed reports that the session could not be opened, or that the connection is gone.
type failed struct{ err error }

// sentOff reports that a prompt was sent.
type sentOff struct{}

func (*begun) isMessage()   {}
func (*sentOff) isMessage() {}
func (*failed) isMessage()  {}

// remarked is a line for the user, such as the reason why an action failed.
type remarked struct{ text string }

func (*remarked) isMessage() {}

// converse opens the session and delivers [*begun], or [*failed]. It returns when the
// connection ends.
func (c *conversation) converse(o Options) {
	began, err := c.begin(o)
	if err != nil {
		c.deliver(&failed{err})
		return
	}
	c.deliver(began)
	select {
	case <-c.conn.DisconnectNotify():
		c.deliver(&failed{ErrClosed})
	case <-c.ctx.Done():
	}
}

func (c *conversation) begin(o Options) (*begun, error) {
	initialized, err := c.initialize(o)
	if err != nil {
		return nil, err
	}
	var made v1.NewSessionResponse
	if o.Resume != "" || o.Continue {
		made, err = c.goOn(&initialized, o)
	} else {
		err = c.request(v1.MethodSessionNew, v1.NewSessionRequest{Cwd: o.Cwd, MCPServers: v1.MCPServers{}}, &made)
		c.id = made.SessionID
	}
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", initialized.withLogin(err))
	}
	return &begun{initialized, made.Modes, made.ConfigOptions, made.Meta}, nil
}

// goOn loads a session. The agent replays the session's history.
func (c *conversation) goOn(initialized *initializeResult, o Options) (made v1.NewSessionResponse, err error) {
	if !initialized.Capabilities.LoadSession {
		return made, errNotKept
	}
	if c.id = o.Resume; c.id == "" {
		if c.id, err = c.newest(o.Cwd); err != nil {
			return made, err
		}
	}
	var loaded v1.LoadSessionResponse
	err = c.request(v1.MethodSessionLoad, v1.LoadSessionRequest{SessionID: c.id, Cwd: o.Cwd, MCPServers: v1.MCPServers{}}, &loaded)
	made.Modes, made.ConfigOptions, made.Meta = loaded.Modes, loaded.ConfigOptions, loaded.Meta
	return made, err
}

func (c *conversation) request(method string, params, result any) error {
	return c.call(c.next(), method, params, result)
}

// next returns a unique request id for a chat.
func (c *conversation) next() uint64 { return c.ids.Add(1) + 100 }

// prompt sends a prompt, whose message has an id. The turn's end is delivered in the order
// of updates, so that nothing of the next turn precedes it.
func (c *conversation) prompt(id string, blocks v1.Blocks) {
	request, sent := c.next(), make(chan struct{})
	c.stream.await(request, func(result []byte, err error) message {
		<-sent
		select {
		case <-c.session: // it was not cancelled
		default:
		}
		var done v1.PromptResponse
		if err == nil {
			err = exactjson.Unmarshal(result, &done)
		}
		return &ended{done.StopReason, err}
	})
	defer close(sent)
	_, err := c.dispatch(request, v1.MethodSessionPrompt, v1.PromptRequest{
		SessionID: c.id, Prompt: blocks, Meta: v1.Meta{v1.MessageIDMeta: id},
	})
	if err != nil {
		c.deliver(&ended{err: plainError(err)})
		return
	}
	select {
	case c.session <- c.id: // it can be cancelled from now on
	default:
	}
	c.deliver(&sentOff{})
}

// setMode sets the session's mode and delivers the result.
func (c *conversation) setMode(mode string) {
	var done v1.SetModeResponse
	if err := c.request(v1.MethodSetMode, v1.SetModeRequest{SessionID: c.id, ModeID: mode}, &done); err != nil {
		c.deliver(&remarked{"the mode was not set: " + err.Error()})
		return
	}
	c.tell(&v1.CurrentModeUpdate{CurrentModeID: mode})
}

// setOption sets the value of an option and delivers the result.
func (c *conversation) setOption(id string, value v1.ConfigValue) {
	r := v1.SetConfigOptionRequest{SessionID: c.id, ConfigID: id, Value: &value}
	if value.Bool != nil {
		r.Type = "boolean"
	}
	var done v1.SetConfigOptionResponse
	if err := c.request(v1.MethodSetConfig, r, &done); err != nil {
		c.deliver(&remarked{"the option was not set: " + err.Error()})
		return
	}
	c.tell(&v1.ConfigOptionUpdate{ConfigOptions: done.ConfigOptions})
}

// tell delivers a change that a response confirmed, as if it were an update.
func (c *conversation) tell(u v1.Update) {
	raw, err := json.Marshal(u)
	if err == nil {
		c.deliver(&updated{raw, u})
	}
}
