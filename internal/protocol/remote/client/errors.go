package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// A StatusError is an error response from the server.
type StatusError struct {
	Status int
	// Detail is the beginning of the response body.
	Detail string

	instance string // the server's process, if it said so
}

// Error implements error.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.Status, http.StatusText(e.Status))
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text += ": check the token"
	case http.StatusNotFound:
		text += ": check the URL's path"
	}
	return text
}

// maxDetail bounds the shown part of an error response, in bytes.
const maxDetail = 300

// statusError returns the error for a response. It reads the beginning of the body.
func statusError(r *http.Response) error {
	detail, _ := io.ReadAll(io.LimitReader(r.Body, maxDetail))
	return &StatusError{r.StatusCode, oneLine(string(detail)), r.Header.Get(remote.HeaderInstance)}
}

// oneLine returns untrusted text in a form that is safe to print on a terminal.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return '�'
		}
		return r
	}, strings.ToValidUTF8(s, "�")))
}

// errLate is the cause if connecting times out.
var errLate = fmt.Errorf("no response within %s", connectTimeout)

// plain returns err without the URL, which may contain secrets.
func plain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errLate) {
		return cause
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// An EndError says why a connection ended or could not be established.
type EndError struct {
	text string
	err  error
}

// Error implements error.
func (e *EndError) Error() string { return e.text + ": " + e.err.Error() }

// Unwrap returns the cause.
func (e *EndError) Unwrap() error { return e.err }

// noConnection returns the error for a connection that could not be established.
func (c *Conn) noConnection(err error) error { return ended("cannot connect to "+c.name, err) }

// lost returns the error for a lost connection.
func (c *Conn) lost(err error) error {
	return ended("lost the connection to "+c.name, err)
}

// ended wraps err in an EndError, unless it already is one or is errClosed: one failure
// may cause another.
func ended(text string, err error) error {
	if _, ok := errors.AsType[*EndError](err); ok || errors.Is(err, errClosed) {
		return err
	}
	return &EndError{text, err}
}
