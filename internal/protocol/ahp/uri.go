package ahp

import (
	"encoding/base64"
	"strings"
)

// Root is the URI of the channel that every host has.
const Root = "ahp-root://"

const (
	sessionScheme = "ahp-session"
	chatPrefix    = "ahp-chat://default/"
)

// SessionURI is the URI of a session, as VS Code up to 1.141 writes it.
func SessionURI(provider, id string) string { return provider + ":/" + id }

// ParseSession takes the URI of a session apart. provider is "" for one of the
// scheme ahp-session.
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

// IsProvider reports whether a name can be the provider of sessions: it is the
// scheme of their URIs.
func IsProvider(name string) bool {
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("+-.", rune(c))) {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// ChatURI is the URI of the one chat of a session. VS Code derives it and reads it
// from nobody.
func ChatURI(session string) string {
	return chatPrefix + base64.RawURLEncoding.EncodeToString([]byte(session))
}

// SessionOfChat is the session of a chat.
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
