package page

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// Config says what the page is for.
type Config struct {
	// Tokens are those that log in; nil where none are wanted.
	Tokens guard.Tokens
	// Once trades what a scanned code has for a token, or says that it is none; it
	// may be nil.
	Once func(code string) (token string, ok bool)
	// State is what a page is told that is logged in.
	State func() State
	Log   *slog.Logger
}

// State is what a page has to know of the server.
type State struct {
	Version string `json:"version"`
	// Login says that a token is wanted; it is set by [Config.Private].
	Login bool `json:"login"`
	// Folder is where new sessions begin.
	Folder string  `json:"folder"`
	Agents []Agent `json:"agents"`
	// Sessions are those that are open, and the newest that each agent has kept.
	Sessions []Session `json:"sessions"`
}

// An Agent is one that the server has.
type Agent struct {
	Name string `json:"name"`
	Path string `json:"path"` // of its endpoint
}

// A Session is one that is open, or was kept.
type Session struct {
	ID        string `json:"sessionId"`
	Agent     string `json:"agent"` // the name, as in State.Agents
	Cwd       string `json:"cwd"`
	Title     string `json:"title,omitempty"`
	UpdatedAt string `json:"updatedAt,omitempty"` // RFC 3339; none if nothing was said in it
	Open      bool   `json:"open"`
	Running   bool   `json:"running"`
	Waiting   int    `json:"waiting"` // questions that nobody has answered
}

// Open returns what is served to everybody: the page, and how to log in.
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

// StatePath is where [Config.Private] is.
const StatePath = Prefix + "state"

// Private returns what is served to those alone who are logged in.
func (c Config) Private() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		// A browser names the page that sends a POST: only then its cookie counts.
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "use POST", http.StatusMethodNotAllowed)
			return
		}
		state := c.State()
		state.Login = c.Tokens != nil
		text, err := json.Marshal(state)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(text)
	})
}
