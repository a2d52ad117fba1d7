package httpsse

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// shown returns a URL without parts that may be secret.
func shown(u *url.URL) string {
	s := *u
	s.User, s.RawQuery, s.Fragment = nil, "", ""
	return s.String()
}

var errUnreadable = errors.New("the URL is invalid: in a user name or password, characters such as #, ?, / and @ " +
	"must be written as %23, %3F, %2F and %40")

// unreadable explains why a URL is invalid. If the URL may contain a password,
// the error shows none of it: the password's bounds are unknown, and the parser
// quotes what it fails on.
func unreadable(text string, err error) error {
	if strings.Contains(text, "@") {
		return errUnreadable
	}
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text = text[:i]
	}
	return fmt.Errorf("the URL %q: %w", text, errors.Unwrap(err))
}

// minSecret is the minimum length of a secret. Shorter values are part of too
// many words.
const minSecret = 6

// secretsOf returns a replacer that removes configured secrets from texts.
// Servers that reject a token like to repeat it.
func secretsOf(base *url.URL, header http.Header) *strings.Replacer {
	var secrets []string
	for key, values := range header {
		if key = http.CanonicalHeaderKey(key); key == "Origin" {
			continue // it identifies the caller, and is useful in a refusal
		}
		for _, v := range values {
			secrets = append(secrets, v)
			if _, token, ok := strings.Cut(v, " "); ok { // the token after the scheme
				secrets = append(secrets, token)
			}
			if cookies, err := http.ParseCookie(v); key == "Cookie" && err == nil {
				for _, c := range cookies {
					secrets = append(secrets, c.Value)
				}
			}
		}
	}
	for _, values := range base.Query() {
		secrets = append(secrets, values...)
	}
	password, _ := base.User.Password()
	secrets = append(secrets, password, base.User.Username()) // some put a token there
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < minSecret })
	// Longer ones first: otherwise a prefix would match, and the rest would
	// remain.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, s, "…")
	}
	return strings.NewReplacer(pairs...)
}
