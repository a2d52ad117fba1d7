package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/suggest"
)

// Notify says where "turnwire serve" sends notifications. Only the user's own file can
// set it.
type Notify struct {
	Page    string         `json:"page,omitempty" jsonschema:"pattern=^https?://[^?#@\\s]+$,description=The address of the server's page, which notifications link to."`
	Targets []NotifyTarget `json:"targets" jsonschema:"description=Where notifications are sent."`
}

// A NotifyTarget receives notifications. Its type decides which other members it may
// have; see [NotifyTypes].
type NotifyTarget struct {
	Type   string   `json:"type" jsonschema:"description=How notifications are sent."`
	URL    Secret   `json:"url,omitempty" jsonschema:"minLength=1,description=The address, with https:// or http://. $NAME and ${NAME} are environment variables; $$ is a dollar sign."`
	Secret Secret   `json:"secret,omitempty" jsonschema:"minLength=1,description=The key that signs the requests, such as $HOOK_SECRET."`
	Token  Secret   `json:"token,omitempty" jsonschema:"minLength=1,description=The access token of the ntfy server, such as $NTFY_TOKEN."`
	Events []string `json:"events,omitempty" jsonschema:"enum=waits,enum=ended,enum=failed,description=What to notify you of: waits (for an answer), ended (a turn), failed (a turn). Default: all."`
	Title  *bool    `json:"title,omitempty" jsonschema:"description=Whether a notification names the session's title. Agents may derive it from what you wrote. Default: true."`
	After  Duration `json:"after,omitempty" jsonschema:"description=How long no client was active before a notification is sent. The end of a turn that took less time is not sent. Default: 30s."`
}

// The types of notification targets.
const (
	NotifyDesktop = "desktop"
	NotifyWebhook = "webhook"
	NotifyNtfy    = "ntfy"
	NotifyPush    = "push"
)

// The events to notify of.
const (
	NotifyWaits  = "waits"
	NotifyEnded  = "ended"
	NotifyFailed = "failed"
)

// defaultNotifyAfter is the default of [NotifyTarget.After].
const defaultNotifyAfter = 30 * time.Second

// NotifyTypes returns the types of notification targets.
func NotifyTypes() []Type {
	shared := []string{"type", "events", "after", "title"}
	return []Type{
		{NotifyDesktop, "this machine's desktop", nil, shared},
		{NotifyWebhook, "a web server, which gets JSON", []string{"url"}, append(slices.Clone(shared), "secret")},
		{NotifyNtfy, "a topic of an ntfy server", []string{"url"}, append(slices.Clone(shared), "token")},
		{NotifyPush, "the browsers that turned notifications on in the page", nil, shared},
	}
}

// Selected returns the events that the target wants.
func (t *NotifyTarget) Selected() []string {
	if len(t.Events) > 0 {
		return t.Events
	}
	return []string{NotifyWaits, NotifyEnded, NotifyFailed}
}

// Titled reports whether a notification names the session's title.
func (t *NotifyTarget) Titled() bool { return t.Title == nil || *t.Title }

// Delay returns how long no client was active before a notification is sent.
func (t *NotifyTarget) Delay() time.Duration {
	return time.Duration(cmp.Or(t.After, Duration(defaultNotifyAfter)))
}

// notifyPage matches an address without a login, which would be a secret, and without a
// query or a fragment, which could be.
var notifyPage = lazyregexp.New(`^https?://[^?#@\s]+$`)

// checkNotify validates the "notify" key.
func (f *File) checkNotify(name string, lines map[string]int) error {
	n := f.Notify
	if n == nil {
		return nil
	}
	fail := func(key string, format string, args ...any) error {
		return &Error{name, lines[key], key, fmt.Errorf(format, args...)}
	}
	if _, given := lines["notify.targets"]; !given {
		return fail("notify", "missing key targets")
	}
	if _, given := lines["notify.page"]; given && !notifyPage().MatchString(n.Page) {
		return fail("notify.page", "must begin with http:// or https://, and must not contain a login, ? or #")
	}
	for i := range n.Targets {
		key := "notify.targets." + strconv.Itoa(i+1)
		if member, err := n.Targets[i].check(func(member string) bool { return lines[key+"."+member] > 0 }); err != nil {
			return &Error{name, cmp.Or(lines[join(key, member)], lines[key]), strings.TrimSuffix(key+"."+member, "."), err}
		}
		if n.Targets[i].Type == NotifyPush && slices.ContainsFunc(n.Targets[:i], func(t NotifyTarget) bool { return t.Type == NotifyPush }) {
			return &Error{name, lines[key], key, errors.New("there can be only one target of the type push")}
		}
	}
	return nil
}

// check validates a target. given reports whether it has a member. member is the one to
// blame, or "".
func (t *NotifyTarget) check(given func(member string) bool) (member string, err error) {
	types := NotifyTypes()
	var names []string
	for _, n := range types {
		names = append(names, n.Name)
	}
	i := slices.Index(names, t.Type)
	if i < 0 {
		return "type", fmt.Errorf("must be one of %s%s", strings.Join(names, ", "), suggest.Hint(t.Type, names))
	}
	for f := range reflect.TypeFor[NotifyTarget]().Fields() {
		m, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch empty := reflect.ValueOf(t).Elem().FieldByIndex(f.Index).IsZero(); {
		case given(m) && !types[i].Has(m):
			return m, fmt.Errorf("unknown key for a target of the type %s", t.Type)
		case !given(m) && slices.Contains(types[i].Required, m):
			return "", fmt.Errorf("missing key %s", m)
		case given(m) && empty && f.Type == reflect.TypeFor[Secret]():
			return m, errors.New("must not be empty")
		}
	}
	all := (&NotifyTarget{}).Selected()
	for _, e := range t.Events {
		if !slices.Contains(all, e) {
			return "events", fmt.Errorf("must be any of %s%s", strings.Join(all, ", "), suggest.Hint(e, all))
		}
	}
	return "", nil
}

// Notify returns the notification settings in the user's file, with variables in URLs
// and secrets resolved.
func (p Places) Notify(lookup func(name string) (string, bool)) (Notify, error) {
	f, err := p.own()
	if err != nil || f.Notify == nil {
		return Notify{}, err
	}
	n := Notify{Page: f.Notify.Page}
	for i, t := range f.Notify.Targets {
		for _, s := range []struct {
			member string
			value  *Secret
		}{{"url", &t.URL}, {"secret", &t.Secret}, {"token", &t.Token}} {
			text, err := s.value.Resolve(lookup)
			switch {
			case err != nil || *s.value == "":
			case text == "":
				err = errors.New("its variables are empty")
			case s.member == "url" && !isWeb(text):
				err = errors.New("must begin with http:// or https:// and a host")
			}
			if err != nil {
				return Notify{}, &Error{File: p.Own, Key: fmt.Sprintf("notify.targets.%d.%s", i+1, s.member), Err: err}
			}
			*s.value = Secret(text)
		}
		n.Targets = append(n.Targets, t)
	}
	return n, nil
}

// isWeb reports whether text is the URL of a web server.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
