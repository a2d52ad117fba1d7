package config_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

func TestNotificationSecretsComeFromTheEnvironment(t *testing.T) {
	own, project := places(t)
	at := config.Find("", filepath.Dir(project))
	none, err := at.Notify(nil)
	require.NoError(t, err)
	require.Empty(t, none.Targets)

	writeFile(t, own, `{"notify": {"page": "https://build.example.org/", "targets": [
		{"type": "webhook", "url": "https://x/$PART", "secret": "env:KEY", "after": "1m", "events": ["failed"]},
		{"type": "desktop"},
		{"type": "ntfy", "url": "https://ntfy.sh/x", "token": "$EMPTY"}]}}`)
	variables := map[string]string{"PART": "abc", "KEY": "k", "EMPTY": "t"}
	lookup := func(name string) (string, bool) { v, ok := variables[name]; return v, ok }
	n, err := at.Notify(lookup)
	require.NoError(t, err)
	require.Equal(t, "https://build.example.org/", n.Page)
	require.Equal(t, "https://x/abc", string(n.Targets[0].URL))
	require.Equal(t, "k", string(n.Targets[0].Secret))
	require.Equal(t, time.Minute, n.Targets[0].Delay())
	require.Equal(t, []string{"failed"}, n.Targets[0].Selected())
	require.Equal(t, 30*time.Second, n.Targets[1].Delay())
	require.Equal(t, []string{"waits", "ended", "failed"}, n.Targets[1].Selected())

	variables["EMPTY"] = ""
	_, err = at.Notify(lookup)
	require.EqualError(t, err, own+": notify.targets.3.token: its variables are empty")
	delete(variables, "KEY")
	_, err = at.Notify(lookup)
	require.ErrorContains(t, err, "notify.targets.1.secret: the environment variable KEY is not set")
	writeFile(t, own, `{"notify": {"targets": [{"type": "ntfy", "url": "ntfy.sh/secret"}]}}`)
	_, err = at.Notify(lookup)
	require.EqualError(t, err, own+": notify.targets.1.url: must begin with http:// or https:// and a host")
}

func TestInvalidNotificationsAreErrorsWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"notify\": {}}":                                                              "f:2: notify: missing key targets",
		`{"notify": {"page": "x", "targets": []}}`:                                        "f:1: notify.page: must begin with http:// or https://, and must not contain a login, ? or #",
		"{\"notify\": {\"targets\": [\n{\"type\": \"ntfi\"}]}}":                           "f:2: notify.targets.1.type: must be one of desktop, webhook, ntfy, push; did you mean ntfy?",
		`{"notify": {"targets": [{"url": "x"}]}}`:                                         "f:1: notify.targets.1.type: must be one of desktop, webhook, ntfy, push",
		`{"notify": {"targets": [{"type": "ntfy"}]}}`:                                     "f:1: notify.targets.1: missing key url",
		"{\"notify\": {\"targets\": [{\"type\": \"push\"},\n{\"type\": \"push\"}]}}":      "f:2: notify.targets.2: there can be only one target of the type push",
		`{"notify": {"targets": [{"type": "desktop", "token": "secret"}]}}`:               "f:1: notify.targets.1.token: unknown key for a target of the type desktop",
		`{"notify": {"targets": [{"type": "ntfy", "url": "http://x", "title": 1}]}}`:      "f:1: notify.targets.1.title: must be true or false",
		`{"sessions": {"days": "x"}}`:                                                     "f:1: sessions.days: must be a whole number",
		`{"notify": {"targets": [{"type": "webhook", "url": ""}]}}`:                       "f:1: notify.targets.1.url: must not be empty",
		"{\"notify\": {\"targets\": [{\"type\": \"desktop\",\n\"events\": [\"wait\"]}]}}": "f:2: notify.targets.1.events: must be any of waits, ended, failed; did you mean waits?",
	} {
		_, err := config.Parse("f", []byte(text))
		require.EqualError(t, err, want)
	}
}
