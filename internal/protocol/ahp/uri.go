package ahp

import (
	"encoding/base64"
	"strings"
)

// Root is the URI of the root channel, which every host has.
const Root = "ahp-root://"

const (
	sessionScheme = "ahp-session"
	chatPrefix    = "ahp-chat://default/"
)

// SessionURI returns the URI of a session in the form that VS Code uses up to 1.141.
func SessionURI(provider, id string) string { return provider + ":/" + id }

// ParseSession splits the URI of a session. provider is "" if the scheme is
// ahp-session.
func ParseSession(uri string) (provider, id string, ok bool) {
	provider, id, ok = strings.Cut(uri, ":/")
	id = strings.TrimLeft(id, "/")
	if !ok || !IsProvider(provider) || id == "" || len(uri) > 512 || strings.ContainsAny(id, "/?# ") {
		return "", "", false
	}
	if provider == sessionScheme {
		provider = ""
	}
	return provider, id, true
}

// IsProvider reports whether a name is a valid provider, which becomes the scheme of
// session URIs.
func IsProvider(name string) bool {
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("+-.", rune(c))) {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// ChatURI returns the URI of a session's only chat. VS Code derives this URI itself.
func ChatURI(session string) string {
	return chatPrefix + base64.RawURLEncoding.EncodeToString([]byte(session))
}

// SessionOfChat returns the URI of a chat's session.
func SessionOfChat(chat string) (session string, ok bool) {
	encoded, ok := strings.CutPrefix(chat, chatPrefix)
	if !ok {
		return "", false
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return "", false
	}
	_, _, ok = ParseSession(string(raw))
	return string(raw), ok
}
