package page

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// Config configures the page.
type Config struct {
	// Tokens are the tokens that can log in. If nil, no login is needed.
	Tokens guard.Tokens
	// Once exchanges a scanned code for a token. ok is false if the code is invalid. Once
	// may be nil.
	Once func(code string) (token string, ok bool)
	// State returns the state for a page that is logged in with the named token.
	State func(token string) State
	// Push subscribes logged-in pages to notifications; it may be nil.
	Push http.Handler
	Log  *slog.Logger
}

// State is the server's state, as sent to the page.
type State struct {
	Version string `json:"version"`
	// Login is true if a token is required; [Config.Private] sets it.
	Login bool `json:"login"`
	// Folder is the server's folder, for new sessions.
	Folder string `json:"folder"`
	// Folders are those to choose from for a new session.
	Folders []string `json:"folders"`
	Agents  []Agent  `json:"agents"`
	// Sessions are the open sessions, and each agent's newest saved ones.
	Sessions []Session `json:"sessions"`
	// PushKey is the key with which a browser subscribes to notifications.
	PushKey string `json:"pushKey,omitempty"`
}

// ForObserver returns what a page may see whose token only watches: the open sessions, and
// nothing to start other ones with.
func (s State) ForObserver() State {
	s.Sessions = slices.DeleteFunc(slices.Clone(s.Sessions), func(one Session) bool { return !one.Open })
	s.Folders, s.PushKey = []string{}, ""
	return s
}

// An Agent is an agent of the server.
type Agent struct {
	Name string `json:"name"`
	Path string `json:"path"` // of its endpoint
}

// A Session is an open or saved session.
type Session struct {
	ID        string `json:"sessionId"`
	Agent     string `json:"agent"` // a name in State.Agents
	Cwd       string `json:"cwd"`
	Title     string `json:"title,omitempty"`
	UpdatedAt string `json:"updatedAt,omitempty"` // RFC 3339; empty if the session is empty
	Open      bool   `json:"open"`
	Running   bool   `json:"running"`
	Waiting   int    `json:"waiting"` // number of unanswered requests
}

// Open returns the handler that is open to everyone. It serves the page and the login.
func (c Config) Open() (http.Handler, error) {
	all, err := assets()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for at, f := range all {
		if at == "/" {
			at = "/{$}"
		}
		mux.HandleFunc("GET "+at, f.serve)
	}
	l := newLogin(c)
	mux.HandleFunc("POST /login", l.in)
	mux.HandleFunc("POST /logout", l.out)
	return mux, nil
}

// The paths of [Config.Private].
const (
	StatePath = Prefix + "state"
	PushPath  = Prefix + "push"
)

// Private returns the handler that only logged-in clients may use.
func (c Config) Private() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(StatePath, c.state)
	if c.Push != nil {
		mux.Handle(PushPath, c.Push)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		// Browsers send the page's origin with a POST, and only then the guard accepts
		// its cookie.
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "use POST", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

func (c Config) state(w http.ResponseWriter, r *http.Request) {
	state := c.State(guard.CallerOf(r.Context()).Token)
	state.Login = c.Tokens != nil
	text, err := json.Marshal(state)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}
