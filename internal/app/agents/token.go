package agents

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/atomicfile"
)

// TokenVariable is the environment variable with the token for a server on the command
// line. Configured servers don't get it, because a project's file could name any server.
const TokenVariable = "TURNWIRE_TOKEN"

// maxToken is the maximum size of a token file, in bytes.
const maxToken = 8 << 10

var errPlain = errors.New("the token would be sent unencrypted: use wss:// or https://")

// takeToken applies the token from the command line or the environment.
func (r *Request) takeToken(a *config.Agent) error {
	if a.Type != config.TypeACPRemote {
		return nil
	}
	if r.TokenFile != "" {
		path, err := filepath.Abs(r.TokenFile)
		if err != nil {
			return err
		}
		a.TokenFile = path
		return nil
	}
	if r.URL == "" {
		return nil
	}
	a.TokenFile = "" // a configured token is for another server
	if os.Getenv(TokenVariable) == "" || hasAuthorization(a, r.Headers) {
		return nil
	}
	r.Headers = append(r.Headers, "Authorization: Bearer $"+TokenVariable)
	return secure(r.URL)
}

func hasAuthorization(a *config.Agent, headers []string) bool {
	for name := range a.Headers {
		if strings.EqualFold(name, "Authorization") {
			return true
		}
	}
	for _, h := range headers {
		if name, _, _ := strings.Cut(h, ":"); strings.EqualFold(strings.TrimSpace(name), "Authorization") {
			return true
		}
	}
	return false
}

// endpoint returns the headers for a server that speaks ACP.
func endpoint(a *config.Agent) (http.Header, error) {
	c, err := server(a)
	if err != nil || a.TokenFile == "" {
		return c.Header, err
	}
	if c.Header.Get("Authorization") != "" {
		return nil, a.Errorf("tokenFile", "the Authorization header is also set")
	}
	if err := secure(a.URL); err != nil {
		return nil, a.Errorf("tokenFile", "%w", err)
	}
	path := a.TokenFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(a.File()), path)
	}
	token, err := readToken(path)
	if err != nil {
		return nil, a.Errorf("tokenFile", "%w", err)
	}
	c.Header.Set("Authorization", "Bearer "+token)
	return c.Header, nil
}

func readToken(path string) (string, error) {
	text, err := atomicfile.Read(path, maxToken)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", fmt.Errorf("%s contains no token", path)
	}
	return token, nil
}

// secure refuses a URL over which others could read a token.
func secure(raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return errors.New("the URL is invalid")
	}
	if u.Scheme == "wss" || u.Scheme == "https" || u.Scheme == "ws+unix" || u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback() {
		return nil
	}
	return errPlain
}
