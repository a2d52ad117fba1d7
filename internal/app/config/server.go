package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// DefaultServer is the value of the "server" key that selects the server at the default
// address of "turnwire serve".
const DefaultServer = "default"

// AutoServer is the value of the "server" key for the same server, which is started if it
// isn't running.
const AutoServer = "auto"

// A Store is a session store shared by several servers. Only the user's own file can set
// it.
type Store struct {
	URL   string `json:"url" jsonschema:"minLength=1,description=The URL of NATS JetStream, with nats://, tls://, ws:// or wss://. Separate several servers of a cluster with commas."`
	Creds string `json:"creds,omitempty" jsonschema:"description=A file with the credentials, absolute or relative to this file."`
}

// CheckStore validates the URL of a store. The error doesn't quote the URL, which may
// contain a password.
func CheckStore(urls string) error {
	for one := range strings.SplitSeq(urls, ",") {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(one), "://")
		switch {
		case rest == "":
		case scheme == "nats" || scheme == "tls" || scheme == "ws" || scheme == "wss":
			continue
		}
		return errors.New("must begin with nats://, tls://, ws:// or wss://")
	}
	return nil
}

// checkServer validates the "server" and "store" keys.
func (f *File) checkServer(name string, lines map[string]int) error {
	if _, given := lines["server"]; given && f.Server == "" {
		return &Error{name, lines["server"], "server", errors.New("must be default, auto or the path of a socket")}
	}
	if strings.Contains(f.Server, "://") {
		return &Error{name, lines["server"], "server", errors.New("must be default, auto or the path of a socket; for a server elsewhere, add an agent of the type acp-remote")}
	}
	if f.Store == nil {
		return nil
	}
	if f.Store.URL == "" {
		return &Error{name, lines["store"], "store", errors.New("missing key url")}
	}
	if err := CheckStore(f.Store.URL); err != nil {
		return &Error{name, lines["store.url"], "store.url", err}
	}
	return nil
}

// ownOnly returns an error if a project's file sets something that only the user's own
// file may set.
func (f *File) ownOnly(name string) error {
	for _, m := range []struct {
		key   string
		given bool
		what  string
	}{
		{"sessions", f.Sessions != nil, "how long sessions are saved"},
		{"server", f.Server != "", "which server to use"},
		{"store", f.Store != nil, "where sessions are saved"},
		{"notify", f.Notify != nil, "where notifications are sent"},
		{"folders", f.Folders != nil, "which folders the page offers"},
	} {
		if m.given {
			return &Error{File: name, Key: m.key, Err: fmt.Errorf("a project cannot set %s; your own file can", m.what)}
		}
	}
	return nil
}

// own reads the user's file. It returns an empty File if the file doesn't exist.
func (p Places) own() (*File, error) {
	f, err := readFile(p.Own)
	if err != nil && (p.Must || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	if f == nil {
		f = new(File)
	}
	return f, nil
}

// Server returns the server to attach to, from the user's file: [DefaultServer],
// [AutoServer], the absolute path of a socket, or "" if unset.
func (p Places) Server() (string, error) {
	f, err := p.own()
	switch {
	case err != nil:
		return "", err
	case f.Server == "" || f.Server == DefaultServer || f.Server == AutoServer:
		return f.Server, nil
	}
	return p.resolve(f.Server)
}

// Store returns the shared session store from the user's file. Its URL is "" if unset.
func (p Places) Store() (s Store, err error) {
	f, err := p.own()
	if err != nil || f.Store == nil {
		return s, err
	}
	s = *f.Store
	if s.Creds != "" {
		s.Creds, err = p.resolve(s.Creds)
	}
	return s, err
}

// resolve makes a path absolute, relative to the folder of the user's file.
func (p Places) resolve(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(p.Own), path)
	}
	return filepath.Abs(path)
}
