package ahphost

import (
	"errors"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// dispatched is a client's action that was neither applied nor rejected yet.
type dispatched struct {
	client  *client
	channel string
	seq     int64
	raw     []byte
	action  ahp.Action
}

// dispatch handles a client's action. An action for an unknown channel is dropped, as
// the protocol requires. An action that cannot be applied is sent back.
func (c *client) dispatch(params []byte) {
	var p struct {
		Channel   string  `json:"channel"`
		ClientSeq int64   `json:"clientSeq"`
		Action    rawJSON `json:"action"`
	}
	if err := exactjson.Unmarshal(object(params), &p); err != nil {
		c.host.cfg.Log.Warn("ignored a malformed action", "client", c.id, "error", err)
		return
	}
	d := &dispatched{client: c, channel: p.Channel, seq: p.ClientSeq, raw: object(p.Action)}
	s, _ := c.host.sessions.find(p.Channel)
	if s == nil && p.Channel != ahp.Root {
		c.host.cfg.Log.Debug("ignored an action without a channel", "client", c.id, "channel", short(p.Channel))
		return
	}
	var err error
	if d.action, err = ahp.Decode(d.raw); err != nil {
		d.reject(err.Error())
		return
	}
	if s == nil {
		d.reject("clients cannot change this channel")
		return
	}
	s.open(func(err error) {
		if err == nil {
			err = s.act(d)
		}
		if err != nil {
			d.reject(err.Error())
		}
	})
}

// origin identifies the client and its action.
func (d *dispatched) origin() *origin { return &origin{ClientID: d.client.id, ClientSeq: d.seq} }

// reject sends the action back to the client.
func (d *dispatched) reject(reason string) { d.client.host.feed.sendBack(d, reason) }

// act applies a client's action, or returns why it can't.
func (s *session) act(d *dispatched) error {
	_, cancels := d.action.(*ahp.TurnWasCancelled)
	switch {
	case s.gate.yields && cancels:
		s.gate.open() // the agent may take long, or never answer
	case s.gate.isShut:
		return s.gate.hold(d)
	case s.remote.wasLost && beginsTurn(d.action):
		s.follow(d)
		return nil
	}
	if _, isChat := ahp.SessionOfChat(d.channel); isChat {
		if handled, err := s.actOnChat(d); handled {
			return err
		}
		// VS Code sends some of the session's actions to its chat. Apply them to the
		// session, and confirm them to the client on the chat's channel.
		if err := s.actOnSession(d, nil); err != nil {
			return err
		}
		s.host.feed.sendBack(d, "")
		return nil
	}
	return s.actOnSession(d, d.origin())
}

// actOnSession applies an action of the session.
func (s *session) actOnSession(d *dispatched, from *origin) error {
	if a, is := d.action.(*ahp.ConfigChanged); is {
		if err := s.choices.change(a, from); err != nil || s.record.ACP != "" {
			return err
		}
		s.save()
		return nil
	}
	saved, err := s.overview.change(d.client.id, d.action, from)
	if err != nil || !saved {
		return err
	}
	if a, is := d.action.(*ahp.TitleChanged); is {
		s.remote.rename(a.Title)
	}
	s.save()
	s.overview.listed()
	return nil
}

// actOnChat applies an action of the chat. handled is false for other actions.
func (s *session) actOnChat(d *dispatched) (handled bool, err error) {
	switch a := d.action.(type) {
	case *ahp.TurnStarted:
		return true, s.queue.start(d, a)
	case *ahp.TurnWasCancelled:
		if s.turn.continues(a.TurnID) { // the client doesn't know yet
			s.chat.say(nil, &ahp.TurnWasCancelled{TurnID: s.chat.active().ID, Duration: s.turn.lasted()})
			s.queue.cancel()
			return true, errors.New("the turn went on after a message, and was stopped there")
		}
		if !s.chat.isActive(a.TurnID) {
			return true, errors.New("the turn is not running")
		}
		s.chat.say(d.origin(), a)
		s.queue.cancel()
		return true, nil
	case *ahp.ToolCallConfirmed:
		return true, s.pending.confirm(d, a)
	case *ahp.InputCompleted:
		return true, s.pending.complete(d, a)
	case *ahp.InputAnswerChanged:
		if s.pending.find(a.RequestID, false) == nil {
			return true, errors.New("this request is no longer open")
		}
	case *ahp.PendingMessageSet:
		return true, s.queue.add(d, a)
	case *ahp.PendingMessageRemoved:
		switch {
		case s.others.has(a.ID):
			return true, errOthers
		case a.Kind == ahp.PendingSteering && s.chat.isSteering(a.ID):
			return true, errSteered
		}
	case *ahp.QueuedMessagesReordered:
	case *ahp.Truncated:
		return true, s.restore(d, a)
	case *ahp.DraftChanged:
		s.record.Draft = a.Draft
		s.save()
	default:
		return false, nil
	}
	s.chat.say(d.origin(), d.action)
	switch d.action.(type) {
	case *ahp.PendingMessageRemoved, *ahp.QueuedMessagesReordered:
		s.save()
	}
	return true, nil
}
