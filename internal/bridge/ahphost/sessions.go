package ahphost

import (
	"cmp"
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// maxListed bounds a list of sessions.
const maxListed = 500

// listSessions lists the sessions of all agents, newest first. It starts no agent.
func (q *request) listSessions() {
	var p struct {
		Limit  int    `json:"limit"`
		Cursor string `json:"cursor"`
	}
	if !q.decode(&p) {
		return
	}
	from, err := strconv.Atoi(cmp.Or(p.Cursor, "0"))
	if err != nil || from < 0 {
		q.fail(protocol.CodeInvalidParams, "the cursor does not belong to this list")
		return
	}
	h := q.client.host
	h.work.Go(func() {
		found, whole := h.agents.listed(h.cfg.Journal, h.cfg.Log)
		h.mu.Lock()
		defer h.mu.Unlock()
		there := make(map[string]bool)
		for _, r := range found {
			there[r.place()] = true
			if s := h.know(r); s != nil && !s.chat.ready() { // another client may have continued it
				s.record.Modified = max(s.record.Modified, r.Modified)
			}
		}
		for s := range h.sessions.all() { // sessions may have been deleted from the journal
			if whole[s.agent] && s.record.ACP != "" && !s.chat.ready() && !s.remote.isOpening() && !there[s.record.place()] {
				s.drop()
			}
		}
		all := h.sessions.summaries()
		limit := maxListed
		if p.Limit > 0 {
			limit = min(p.Limit, maxListed)
		}
		result := map[string]any{}
		to := min(len(all), from+limit)
		if to < len(all) {
			result["nextCursor"] = strconv.Itoa(to)
		}
		result["items"] = all[min(from, to):to]
		q.answer(result)
	})
}

// maxSessions bounds the known sessions.
const maxSessions = 16 << 10

// createSession creates a session. Its agent is not started before its first turn.
func (q *request) createSession() {
	var p struct {
		Channel            string           `json:"channel"`
		Provider           string           `json:"provider"`
		WorkingDirectories []string         `json:"workingDirectories"`
		WorkingDirectory   string           `json:"workingDirectory"` // before version 0.7
		Config             map[string]any   `json:"config"`
		ActiveClient       ahp.ActiveClient `json:"activeClient"`
	}
	if !q.decode(&p) {
		return
	}
	h := q.client.host
	provider, id, ok := ahp.ParseSession(p.Channel)
	if provider == "" {
		provider = p.Provider
	}
	a := h.agents.orFirst(provider)
	if p.WorkingDirectory != "" && len(p.WorkingDirectories) == 0 {
		p.WorkingDirectories = []string{p.WorkingDirectory}
	}
	folders, err := foldersOf(p.WorkingDirectories, h.cfg.Home)
	there, _ := h.sessions.find(p.Channel)
	switch {
	case !ok:
		q.fail(protocol.CodeInvalidParams, "%q is not a session URI", short(p.Channel))
	case there != nil:
		q.fail(ahp.CodeSessionExists, "the session %s already exists", p.Channel)
	case a == nil || p.Provider != "" && p.Provider != a.Provider:
		q.fail(ahp.CodeNoProvider, "unknown agent %q", short(provider))
	case err != nil:
		q.failWith(err)
	case h.sessions.len() >= maxSessions:
		q.fail(protocol.CodeInvalidRequest, "the limit of %d sessions is reached", maxSessions)
	default:
		s := newSession(a, record{
			URI: ahp.SessionURI(a.Provider, id), Provider: a.Provider, Key: a.Key, Folders: folders, Read: true, Created: now(), Modified: now(),
		})
		s.choices.preselect(p.Config)
		s.choices.show()
		if client := (&ahp.ActiveClientSet{ActiveClient: p.ActiveClient}); client.ClientID() == q.client.id {
			s.overview.join(client)
		}
		h.sessions.add(s)
		s.save()
		q.answer(nil)
		h.clients.notify(methodSessionAdded, map[string]any{"channel": ahp.Root, "summary": s.overview.summary()})
	}
}

// foldersOf returns the paths of folders, or home if uris is empty.
func foldersOf(uris []string, home string) (paths []string, err error) {
	for _, uri := range uris {
		path := pathOf(uri)
		if path == "" {
			return nil, protocol.Errorf(protocol.CodeInvalidParams, "%q is not a folder on this machine", short(uri))
		}
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		paths = []string{home}
	}
	return paths, nil
}

// disposeSession drops an empty session. It keeps others, because VS Code disposes of
// sessions that it only looked at.
func (q *request) disposeSession() {
	h := q.client.host
	channel := rawmsg.MemberText(object(q.params), "channel")
	s, _ := h.sessions.find(channel)
	switch {
	case s == nil:
		q.fail(ahp.CodeNoSession, "unknown session %s", short(channel))
	case s.turn.runs() || s.chat.active() != nil:
		q.fail(ahp.CodeTurnRuns, "a turn is running in the session")
	case s.record.ACP != "" || s.remote.isOpening():
		q.answer(nil)
	default:
		q.answer(nil)
		s.drop()
	}
}

// resolveSessionConfig returns a session's possible options. They are the agent's last
// offers, because it is not running yet.
func (q *request) resolveSessionConfig() {
	var p struct {
		Provider string         `json:"provider"`
		Config   map[string]any `json:"config"`
	}
	if !q.decode(&p) {
		return
	}
	h := q.client.host
	a := h.agents.orFirst(p.Provider)
	if a == nil {
		q.fail(ahp.CodeNoProvider, "unknown agent %q", short(p.Provider))
		return
	}
	config := ahpmap.Config(a.offers.Options, a.offers.Modes)
	for name, value := range p.Config {
		if mayChoose(config, name, value) == nil {
			config.Values[name] = value
		}
	}
	q.answer(config)
}

// fetchTurns loads older turns. It sends them only to the client that asks: other
// clients may have other turns, and the host's own state already has as many as fit.
func (q *request) fetchTurns() {
	var p struct {
		Channel string `json:"channel"`
		Cursor  string `json:"cursor"`
	}
	if !q.decode(&p) {
		return
	}
	q.client.host.reach(p.Channel, func(err error) {
		switch {
		case err != nil:
			q.failWith(err)
		default:
			q.loadTurns(p.Channel, p.Cursor)
		}
	})
}

func (q *request) loadTurns(channel, cursor string) {
	h := q.client.host
	s, _ := h.sessions.find(channel)
	if s == nil || s.chat.state == nil {
		q.fail(protocol.CodeInvalidParams, "%s is not a chat", short(channel))
		return
	}
	if cursor == "" {
		cursor = s.chat.state.TurnsNextCursor
	}
	if cursor == "" {
		q.answer(empty{})
		return
	}
	turns, next, ok := s.chat.earlier.page(cursor)
	if !ok {
		q.fail(protocol.CodeInvalidParams, "the cursor does not belong to this chat")
		return
	}
	h.feed.tell(q.client, channel, &ahp.TurnsLoaded{Turns: turns, TurnsNextCursor: next})
	q.answer(empty{})
}
