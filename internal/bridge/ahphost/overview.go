package ahphost

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// An outlet publishes a session's actions, except those replayed from its history. The
// host's mutex guards it.
type outlet struct {
	feed      *feed
	replaying bool
}

func (o *outlet) publish(channel string, a ahp.Action, from *origin) {
	if !o.replaying {
		o.feed.publish(channel, a, from)
	}
}

// An overview is the state of a session's own channel, folded from the actions
// published there, and the session's entry in lists. It stores the title, the flags and
// the times in the record. The host's mutex guards it.
type overview struct {
	out     *outlet
	clients *clients
	record  *record
	state   ahp.Session
	changed int64 // the number of the last action before state changed without one
}

func newOverview(cs *clients, out *outlet, r *record, chatURI string) *overview {
	o := &overview{out: out, clients: cs, record: r}
	o.state = ahp.Session{
		Provider: r.Provider, Title: r.Title, Lifecycle: ahp.LifecycleReady, ActiveClients: []ahp.ActiveClient{},
		Status:      ahp.Idle.With(ahp.IsRead, r.Read).With(ahp.IsArchived, r.Archived),
		Chats:       []ahp.ChatSummary{{Resource: chatURI, Title: r.Title, Status: ahp.Idle, ModifiedAt: r.Modified}},
		DefaultChat: chatURI,
	}
	for _, folder := range r.Folders {
		o.state.WorkingDirectories = append(o.state.WorkingDirectories, ahpmap.FileURI(folder))
	}
	return o
}

// continues reports whether the actions after number seen lead to the state.
func (o *overview) continues(seen int64) bool { return o.changed < seen }

// say applies actions, and sends them to the channel's clients. from is the client that
// sent them, or nil if the host did.
func (o *overview) say(from *origin, actions ...ahp.Action) {
	for _, a := range actions {
		o.state.Apply(a)
		o.out.publish(o.record.URI, a, from)
	}
}

// showActivity publishes the chat's status if it changed.
func (o *overview) showActivity(status ahp.Status) {
	shown := &o.state.Chats[0]
	if shown.Status == status {
		return
	}
	changes := ahp.ChatChanges{Status: &status}
	if !o.out.replaying {
		o.record.Modified = now()
		changes.ModifiedAt = &o.record.Modified
	}
	o.say(nil, &ahp.ChatUpdated{Chat: shown.Resource, Changes: changes})
	o.listed()
}

// listed notifies clients that list sessions of a change to this one.
func (o *overview) listed() {
	if o.out.replaying {
		return
	}
	o.clients.notify(methodSummaryChanged, map[string]any{
		"channel": ahp.Root, "session": o.record.URI,
		"changes": map[string]any{"title": o.title(), "status": o.status(), "modifiedAt": o.record.Modified},
	})
}

func (o *overview) snapshot() rawJSON { return rawmsg.Encode(o.state) }

func (o *overview) title() string { return cmp.Or(o.state.Title, "New session") }

// status returns the status for lists: the chat's activity with the session's flags.
// The status in the session's own state does not follow its chats.
func (o *overview) status() ahp.Status { return o.state.Status.Doing(o.state.Chats[0].Status) }

// summary returns the session's entry in lists.
func (o *overview) summary() ahp.SessionSummary {
	return ahp.SessionSummary{
		Resource: o.record.URI, Provider: o.record.Provider, Title: o.title(), Status: o.status(),
		CreatedAt: o.record.Created, ModifiedAt: o.record.Modified, WorkingDirectories: o.state.WorkingDirectories,
	}
}

// entitle sets the session's title, unless the user set one.
func (o *overview) entitle(title string) {
	if o.record.ByUser || title == "" || title == o.state.Title {
		return
	}
	o.record.Title = title
	o.say(nil, &ahp.TitleChanged{Title: title})
	o.listed()
}

// turnBegan marks the session as unread, and derives a title from its first message.
func (o *overview) turnBegan(message string) {
	if o.state.Status&ahp.IsRead != 0 && !o.out.replaying {
		o.say(nil, &ahp.SessionIsReadChanged{})
		o.record.Read = false
	}
	if o.state.Title == "" {
		o.entitle(titleOf(message))
	}
}

// change applies a client's action. saved reports whether the record changed.
func (o *overview) change(clientID string, action ahp.Action, from *origin) (saved bool, err error) {
	switch a := action.(type) {
	case *ahp.TitleChanged:
		a.Title = core.Title(a.Title)
		if a.Title == "" {
			return false, errors.New("the title is empty")
		}
		o.record.Title, o.record.ByUser, saved = a.Title, true, true
	case *ahp.SessionIsReadChanged:
		o.record.Read, saved = a.IsRead, true
	case *ahp.SessionIsArchivedChanged:
		o.record.Archived, saved = a.IsArchived, true
	case *ahp.ActiveClientSet:
		if a.ClientID() != clientID {
			return false, errors.New("clients can only do this for themselves")
		}
		if len(o.state.ActiveClients) >= maxChannels {
			return false, errors.New("too many active clients")
		}
	case *ahp.ActiveClientRemoved:
		if a.ClientID != clientID {
			return false, errors.New("clients can only do this for themselves")
		}
	default:
		return false, fmt.Errorf("%s does not apply to this channel", action.ActionType())
	}
	o.say(from, action)
	return saved, nil
}

// join adds the client that created the session, before any client follows it.
func (o *overview) join(client *ahp.ActiveClientSet) { o.state.Apply(client) }

// leave removes a client that is gone.
func (o *overview) leave(clientID string) {
	if slices.ContainsFunc(o.state.ActiveClients, func(active ahp.ActiveClient) bool {
		return (&ahp.ActiveClientSet{ActiveClient: active}).ClientID() == clientID
	}) {
		o.say(nil, &ahp.ActiveClientRemoved{ClientID: clientID})
	}
}

// watched reports whether a client follows the session or its chat.
func (o *overview) watched() bool {
	return o.clients.follow(o.record.URI, o.state.DefaultChat)
}

// offer shows the options and their values. While a client watches, only values can
// change, because AHP has no action that changes the options.
func (o *overview) offer(next *ahp.SessionConfig) {
	if o.state.Config == nil || !o.watched() {
		if o.state.Config != nil && !reflect.DeepEqual(o.state.Config, next) {
			o.changed = o.out.feed.last
		}
		o.state.Config = next
		return
	}
	changed := make(map[string]any)
	for name, value := range next.Values {
		if _, known := o.state.Config.Schema.Properties[name]; known && o.state.Config.Values[name] != value {
			changed[name] = value
		}
	}
	if len(changed) > 0 {
		o.say(nil, &ahp.ConfigChanged{Config: changed})
	}
}

// mayChoose returns an error if an option can't have a value.
func (o *overview) mayChoose(name string, value any) error {
	return mayChoose(o.state.Config, name, value)
}

// reset drops the state that only an open session has.
func (o *overview) reset() {
	o.state.InputNeeded, o.state.ActiveClients = nil, []ahp.ActiveClient{}
}
