package httpsse

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// said answers each request with a status, a content type and a body.
type said struct {
	status int
	kind   string
	body   string
}

// RoundTrip implements [http.RoundTripper].
func (s said) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: s.status, Header: http.Header{"Content-Type": {s.kind}}, Request: r,
		Body: io.NopCloser(iotest.HalfReader(strings.NewReader(s.body))),
	}, nil
}

// Whatever a server reports about a failure, the error is one line for
// people, and contains none of our secrets.
func FuzzErrorBodies(f *testing.F) {
	for _, body := range []string{
		`{"error":"no such run"}`, `{"error":{"message":"no"},"detail":"why"}`, `{"json":{"code":"X","message":"m"}}`,
		`{"title":"Bad","details":"Bearer s3cr3t-token."}`, `{"message":"a\u0000b\u2028c\ud800"}`, `[1]`, `null`, `"text"`, "plain\r\ntext\x00",
		"\xff\xfes3cr3t-token", `<html>`, ``, `{"error":["a"]}`, `{"error":"` + strings.Repeat("long ", 200) + `"}`, `{"Error":"any case"}`,
	} {
		for _, kind := range []string{"application/json", "text/html; charset=utf-8", "", "a/b;;"} {
			f.Add(uint16(404), kind, body)
		}
	}
	f.Fuzz(func(t *testing.T, status uint16, kind, body string) {
		c, err := New(Config{BaseURL: "http://agent.test/?key=s3cr3t-query", Header: http.Header{"Authorization": {"Bearer s3cr3t-token"}}, Log: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		c.http.Transport = said{100 + int(status)%500, kind, body}
		var out struct {
			A string `json:"a"`
		}
		called := c.Call(t.Context(), http.MethodPost, "/runs", nil, &out)
		requireForPeople(t, called)
		if called == nil {
			require.True(t, json.Valid([]byte(body)))
		}
		events, opened := c.Stream(t.Context(), http.MethodGet, "/runs", nil, "")
		requireForPeople(t, opened)
		if opened == nil {
			events.Close()
		}
	})
}

// requireForPeople checks that an error fits into a message.
func requireForPeople(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	_, refused := errors.AsType[*StatusError](err)
	_, other := errors.AsType[*UnexpectedError](err)
	_, broken := errors.AsType[*UnreachableError](err)
	require.True(t, refused || other || broken, "%T: %v", err, err)
	text := err.Error()
	require.NotContains(t, text, "s3cr3t-token")
	require.NotContains(t, text, "s3cr3t-query")
	require.True(t, utf8.ValidString(text), "%q", text)
	require.Less(t, utf8.RuneCountInString(text), maxLine+300, "%q", text)
	require.False(t, strings.ContainsFunc(text, unicode.IsControl), "%q", text)
}
