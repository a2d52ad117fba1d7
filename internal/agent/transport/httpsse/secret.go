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

// shown is a URL as it may be shown.
func shown(u *url.URL) string {
	s := *u
	s.User, s.RawQuery, s.Fragment = nil, "", ""
	return s.String()
}

var errUnreadable = errors.New("the URL cannot be read: in a user name or password, characters such as #, ?, / and @ " +
	"must be written as %23, %3F, %2F and %40")

// unreadable is why a URL is invalid. Where it may hold a password nothing of it
// is shown: nobody knows where that begins and ends, and the parser quotes what
// it stumbles over.
func unreadable(text string, err error) error {
	if strings.Contains(text, "@") {
		return errUnreadable
	}
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text = text[:i]
	}
	return fmt.Errorf("the URL %q: %w", text, errors.Unwrap(err))
}

// minSecret is how long a value must be to be taken for a secret: what is
// shorter stands in many a word.
const minSecret = 6

// secretsOf takes out of a text what was configured and nobody else should see:
// servers that refuse a token like to repeat it.
func secretsOf(base *url.URL, header http.Header) *strings.Replacer {
	var secrets []string
	for key, values := range header {
		if key = http.CanonicalHeaderKey(key); key == "Origin" {
			continue // it says who asks, and a refusal of it is of use
		}
		for _, v := range values {
			secrets = append(secrets, v)
			if _, token, ok := strings.Cut(v, " "); ok { // after its scheme
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
	// Of two that begin alike the longer comes first, or its end would be left.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, s, "…")
	}
	return strings.NewReplacer(pairs...)
}
