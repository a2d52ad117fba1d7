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
)

// A StatusError is a refusal of the server.
type StatusError struct {
	Status int
	// Detail is the beginning of what the server says of it.
	Detail string
}

// Error implements error.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.Status, http.StatusText(e.Status))
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text += ": is the token right?"
	case http.StatusNotFound:
		text += ": is the path of the URL right?"
	}
	return text
}

// maxDetail is how much of a refusal is shown, in bytes.
const maxDetail = 300

// statusError is the error of an answer, of which it reads the beginning.
func statusError(r *http.Response) error {
	detail, _ := io.ReadAll(io.LimitReader(r.Body, maxDetail))
	return &StatusError{r.StatusCode, oneLine(string(detail))}
}

// oneLine is text of a stranger that cannot act upon a terminal.
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

// errLate is the cause of a connection that does not come about.
var errLate = fmt.Errorf("it has not answered within %s", connectTimeout)

// plain is err without the URL, which may hold secrets.
func plain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errLate) {
		return cause
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// An EndError says why a connection has ended, or has not come about.
type EndError struct {
	text string
	err  error
}

// Error implements error.
func (e *EndError) Error() string { return e.text + ": " + e.err.Error() }

// Unwrap returns the cause.
func (e *EndError) Unwrap() error { return e.err }

// noConnection is the error of a connection that does not come about.
func (c *Conn) noConnection(err error) error { return ended("cannot connect with "+c.name, err) }

// lost is the error of a connection that was there.
func (c *Conn) lost(err error) error {
	return ended("the connection with "+c.name+" is lost", err)
}

// ended is an EndError, where err is none: one end may bring about another one.
func ended(text string, err error) error {
	if _, ok := errors.AsType[*EndError](err); ok || errors.Is(err, errClosed) {
		return err
	}
	return &EndError{text, err}
}
