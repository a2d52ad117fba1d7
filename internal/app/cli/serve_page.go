package cli

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/page"
	"github.com/turnwire/turnwire/internal/app/page/qrcode"
	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/app/tokens"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/remote"
)

const (
	// codeValid is how long the --qr code is valid.
	codeValid = 10 * time.Minute
	// pageValid is how long the token is valid that a page gets for the code.
	pageValid = 90 * 24 * time.Hour
	// keptTime limits how long a page waits for the list of saved sessions.
	keptTime = 2 * time.Second
)

// page adds the web client to the server. key is that of the agent at /acp. pages can
// subscribe to notifications; it may be nil.
func (o *serveOptions) page(h *hubs, key string, pages *push.Store, log *slog.Logger) error {
	if o.config.Listen == "" {
		return nil
	}
	p := page.Config{Tokens: o.config.Tokens, Log: log, State: func(token string) page.State {
		s := o.pageState(h, key)
		if o.watches(token) {
			return s.ForObserver()
		}
		if pages != nil {
			s.PushKey = pages.Key()
		}
		return s
	}}
	if pages != nil {
		p.Push = pages
	}
	if o.qr && o.config.Tokens != nil {
		store, err := tokenStore()
		if err != nil {
			return err
		}
		o.once = tokens.NewOnce(codeValid, func() (string, error) {
			return store.Create("page-"+time.Now().UTC().Format("20060102-150405"), pageValid)
		})
		o.once.Failed = func(err error) { log.Error("no token was created for a page", "error", err) }
		p.Once = o.once.Trade
	}
	open, err := p.Open()
	if err != nil {
		return err
	}
	o.config.Page, o.config.PageState = open, p.Private()
	return nil
}

// pageState returns the server's state for the page.
func (o *serveOptions) pageState(h *hubs, key string) page.State {
	folder, err := os.Getwd()
	if err != nil {
		h.log.Warn("the folder of the server", "error", err)
	}
	name := cmp.Or(o.agent.name, key)
	if command, _, cut := strings.Cut(name, ":"); cut && o.agent.name == "" {
		name = command
	}
	s := page.State{Version: version(), Folder: folder, Agents: []page.Agent{{Name: name, Path: remote.Path}}, Sessions: []page.Session{}}
	keys := map[string]string{name: key}
	for _, other := range o.otherAgents(h.log) {
		s.Agents = append(s.Agents, page.Agent{Name: other, Path: remote.Path + "/" + other})
		_, keys[other] = h.of(other)
	}
	for _, live := range h.live() {
		s.Sessions = append(s.Sessions, page.Session{
			ID: live.ID, Agent: cmp.Or(live.Agent, name), Cwd: live.Cwd, Open: true, Running: live.Running, Waiting: live.Waiting,
		})
	}
	s.Sessions = h.withKept(s.Sessions, keys)
	s.Folders = h.folders(folder, s.Sessions)
	return s
}

// withKept adds the saved sessions to the open ones. It doesn't wait for a store that
// hangs, because the page asks for its state to find out whether the server is running.
// keys maps agent names to their keys in the journal.
func (h *hubs) withKept(open []page.Session, keys map[string]string) []page.Session {
	listed := make(chan []page.Session, 1)
	go func() {
		all := slices.Clone(open)
		for _, agent := range slices.Sorted(maps.Keys(keys)) {
			all = h.addKept(all, agent, keys[agent])
		}
		listed <- all
	}()
	late := time.NewTimer(keptTime)
	defer late.Stop()
	select {
	case all := <-listed:
		return all
	case <-late.C:
		h.log.Warn("the page shows only open sessions because the store does not respond")
		return open
	}
}

// addKept adds an agent's newest saved sessions, and completes those already listed with
// data from the journal.
func (h *hubs) addKept(sessions []page.Session, agent, key string) []page.Session {
	if h.store == nil || key == "" {
		return sessions
	}
	saved, err := h.store.List(journal.Filter{Agent: key})
	if err != nil {
		h.log.Warn("the sessions of an agent cannot be listed", "agent", agent, "error", err)
	}
	for _, k := range saved.Sessions {
		i := slices.IndexFunc(sessions, func(s page.Session) bool { return s.ID == k.ID && s.Agent == agent })
		if i < 0 {
			i = len(sessions)
			sessions = append(sessions, page.Session{ID: k.ID, Agent: agent, Cwd: k.Cwd})
		}
		sessions[i].Title, sessions[i].UpdatedAt = k.Title, k.Updated.UTC().Format(time.RFC3339)
	}
	return sessions
}

// otherAgents returns the names of the configured agents, and of the common ones that are
// installed. Agents with only built-in settings are left out.
func (o *serveOptions) otherAgents(log *slog.Logger) (names []string) {
	if o.agent.name != "" || o.agent.url != "" || o.agent.replay != "" || len(o.agent.command) > 0 {
		return nil // only the chosen agent is served
	}
	catalogue, err := o.agent.catalogue(".")
	if err != nil {
		log.Warn("the agents with names", "error", err)
		return nil
	}
	for _, e := range catalogue.Choices() {
		built := reflect.DeepEqual(e.Config, config.Agent{Type: e.Config.Type})
		if e.Known != nil && e.Installed() || e.Name != agents.Workspace && !built {
			names = append(names, e.Name)
		}
	}
	return names
}

// showPage prints how other devices trust the server, and the page's URL as a QR code.
func (o *serveOptions) showPage(stderr io.Writer, urls []string, log *slog.Logger) {
	for _, url := range urls {
		at, ok := strings.CutSuffix(url, remote.Path)
		if !ok || !strings.HasPrefix(at, "http") {
			continue
		}
		scheme, address, _ := strings.Cut(at, "://")
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			log.Error("the QR code cannot be shown", "error", err)
			return
		}
		at = scheme + "://" + net.JoinHostPort(o.reachableHost(), port)
		o.showTrust(stderr, at, log)
		if !o.qr {
			return
		}
		at += "/"
		fmt.Fprintf(stderr, "turnwire: the page is at %s\n", at)
		if o.once != nil {
			at += "#token=" + o.once.Code()
		}
		code, err := qrcode.Draw(at)
		if err != nil {
			log.Error("the QR code cannot be shown", "error", err)
			return
		}
		fmt.Fprintf(stderr, "\n%s\n%s\n", code, at)
		if o.once != nil {
			fmt.Fprintf(stderr, "turnwire: the code logs in one page, within %d minutes\n", codeValid/time.Minute)
		}
		return
	}
}

// reachableHost returns the name by which other machines reach this one: a configured
// name, one of its certificate, or else an address.
func (o *serveOptions) reachableHost() string {
	if len(o.config.Hosts) > 0 {
		return o.config.Hosts[0]
	}
	host, _, err := net.SplitHostPort(o.config.Listen)
	if ip := net.ParseIP(host); err == nil && host != "" && (ip == nil || !ip.IsUnspecified()) {
		return host
	}
	if address := ownAddress(); o.authority != nil && address != "" {
		return address
	}
	if pair, err := tls.LoadX509KeyPair(o.config.TLSCert, o.config.TLSKey); err == nil {
		if name := nameIn(pair.Leaf); name != "" {
			return name
		}
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "localhost"
	}
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return "localhost"
}

// nameIn returns a name that the certificate is valid for, or "".
func nameIn(c *x509.Certificate) string {
	if c == nil {
		return ""
	}
	for _, name := range c.DNSNames {
		if name != "localhost" && !strings.Contains(name, "*") {
			return name
		}
	}
	return ""
}
