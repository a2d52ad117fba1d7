package httpsse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// ErrLate means that the response did not begin in time. The server may still
// have executed the request.
var ErrLate = errors.New("no response in time")

// place is the request that an error is about.
type place struct{ Method, URL string }

func placeOf(r *http.Request) place { return place{r.Method, shown(r.URL)} }

// StatusError is a response with an error status.
type StatusError struct {
	place
	Status int
	Detail string // the server's message, one line; may be ""
	hint   string // which path to use; may be ""
}

// Error implements error.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("%s %s returned %d %s", e.Method, e.URL, e.Status, http.StatusText(e.Status))
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		s += ". Check the token in the headers of its configuration"
	case e.Status == http.StatusNotFound:
		s += ". Check the URL and that the server is the right one"
	case e.Status/100 == 3:
		s += ". Set the URL to the new address: redirects are not followed"
	case e.Status == http.StatusTooManyRequests:
		s += ". Try again later"
	case e.Status >= 500:
		s += ". See the server's log"
	}
	if e.hint != "" {
		s += ". " + e.hint
	}
	return s
}

// HasStatus reports whether err is a response with one of these statuses.
func HasStatus(err error, statuses ...int) bool {
	answer, ok := errors.AsType[*StatusError](err)
	return ok && slices.Contains(statuses, answer.Status)
}

// IsPermanent reports whether a call or a stream that failed with err would fail again.
func IsPermanent(err error) bool {
	if answer, ok := errors.AsType[*StatusError](err); ok {
		return answer.Status/100 != 5 && answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusRequestTimeout
	}
	_, unexpected := errors.AsType[*UnexpectedError](err)
	return unexpected || errors.Is(err, ErrTooLong)
}

// Code implements lifecycle.Coded.
func (e *StatusError) Code() string {
	if e.Status == http.StatusUnauthorized {
		return "unauthorized"
	}
	return fmt.Sprintf("http_%d", e.Status)
}

// UnreachableError reports that a request or its response did not get through.
type UnreachableError struct {
	place
	Err   error
	Begun bool // the response had begun, so there is a server
}

// Error implements error.
func (e *UnreachableError) Error() string {
	if e.Begun {
		return fmt.Sprintf("the response from %s was interrupted: %v. See the server's log", e.URL, e.Err)
	}
	return fmt.Sprintf("cannot reach %s: %v. Check the URL, and that the server is running", e.URL, e.Err)
}

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Code implements lifecycle.Coded.
func (e *UnreachableError) Code() string { return "agent_unreachable" }

// unreachable wraps the cause of a failed request. The context's cause takes
// precedence.
func (c *Client) unreachable(ctx context.Context, r *http.Request, err error) error {
	return c.lost(ctx, r, err, false)
}

// brokenOff wraps the cause of a response that broke off after it began.
func (c *Client) brokenOff(ctx context.Context, r *http.Request, err error) error {
	return c.lost(ctx, r, err, true)
}

func (c *Client) lost(ctx context.Context, r *http.Request, err error, begun bool) error {
	if cause := context.Cause(ctx); cause != nil {
		if errors.Is(cause, context.Canceled) {
			return cause
		}
		err = cause
	}
	// http.Client's error repeats the method and the URL with its query.
	for {
		inner := errors.Unwrap(err)
		if inner == nil || !strings.Contains(err.Error(), "://") {
			break
		}
		err = inner
	}
	return &UnreachableError{placeOf(r), err, begun}
}

// UnexpectedError is a response with unexpected content.
type UnexpectedError struct {
	place
	Want string // such as "JSON"
	Got  string
	Err  error // may be nil
}

// Error implements error.
func (e *UnexpectedError) Error() string {
	return fmt.Sprintf("%s %s returned %s instead of %s. Check the URL: this may be another server", e.Method, e.URL, e.Got, e.Want)
}

// Unwrap returns the cause.
func (e *UnexpectedError) Unwrap() error { return e.Err }

// Code implements lifecycle.Coded.
func (e *UnexpectedError) Code() string { return "agent_unexpected_answer" }

// IdleError reports that a stream was silent for too long.
type IdleError struct {
	place
	After time.Duration
	limit string // the name of the timeout
}

// Error implements error.
func (e *IdleError) Error() string {
	return fmt.Sprintf("%s sent nothing for %s. See the server's log, or set a longer %s timeout", e.URL, e.After, e.limit)
}

// Code implements lifecycle.Coded.
func (e *IdleError) Code() string { return "agent_idle" }

// CutOffError reports that a stream ended before its run did.
type CutOffError struct {
	URL    string // without parts that may be secret
	Status string // what the server said about the run last, if it matters
}

// Error implements error.
func (e *CutOffError) Error() string {
	s := "the stream of " + e.URL + " ended before the run did"
	if e.Status != "" {
		s += " (" + e.Status + ")"
	}
	return s + ". See the server's log; the next prompt continues the same conversation"
}

// Code implements lifecycle.Coded.
func (*CutOffError) Code() string { return "agent_cut_off" }

// CutOff returns the error of a stream that ended before its run did. status is what the
// server said about the run last, or "".
func (e *Stream) CutOff(status string) error {
	return &CutOffError{URL: shown(e.r.Request.URL), Status: status}
}

// Foreign returns the error of a stream without any event of a protocol.
func (e *Stream) Foreign(protocol string) error {
	return &UnexpectedError{placeOf(e.r.Request), "those of " + protocol, "other events", nil}
}

// detail extracts the message for people from an error's body, without secrets.
func detail(h http.Header, raw []byte, secrets *strings.Replacer) string {
	if mediaType(h) == "text/html" {
		return "" // a web page says less than its status
	}
	var body map[string]any
	if exactjson.Unmarshal(raw, &body) != nil {
		return oneLine(secrets.Replace(string(raw)))
	}
	if inner, ok := body["json"].(map[string]any); ok {
		body = inner // oRPC wraps every response
	}
	text := member(body, secrets, "error", "message", "title")
	// Some servers name the failure in one member and explain it in another.
	if why := member(body, secrets, "detail", "details"); why != "" && why != text {
		text = strings.TrimPrefix(text+": "+why, ": ")
	}
	return oneLine(text)
}

// member returns the first member that is a string or has a message.
func member(body map[string]any, secrets *strings.Replacer, keys ...string) string {
	for _, key := range keys {
		v := body[key]
		if inner, ok := v.(map[string]any); ok {
			v = inner["message"]
		}
		s, _ := v.(string)
		if s == "" {
			s = invalid(v)
		}
		if s != "" {
			return oneLine(secrets.Replace(s))
		}
	}
	return ""
}

// invalid returns the first entry of FastAPI's list of what is wrong with a request, or "".
func invalid(v any) string {
	list, _ := v.([]any)
	if len(list) == 0 {
		return ""
	}
	first, _ := list[0].(map[string]any)
	text, _ := first["msg"].(string)
	var path []string
	if loc, ok := first["loc"].([]any); ok && text != "" {
		for _, part := range loc {
			path = append(path, fmt.Sprint(part))
		}
		text = strings.Join(path, ".") + ": " + text
	}
	return text
}

// describe names the kind of content in a response.
func describe(h http.Header, raw []byte) string {
	switch kind := mediaType(h); {
	case kind == "text/html":
		return "a web page"
	case kind != "" && kind != "application/json":
		return kind
	case len(raw) == 0:
		return "nothing"
	case json.Valid(raw):
		return "other JSON"
	}
	return "something that is not JSON"
}

func mediaType(h http.Header) string {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

const maxLine = 300 // runes

// oneLine returns s as one line that fits into a sentence.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if utf8.RuneCountInString(s) > maxLine {
		s = string([]rune(s)[:maxLine]) + "…"
	}
	return strings.TrimRight(s, ". ")
}
