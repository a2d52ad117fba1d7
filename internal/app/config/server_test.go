package config_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

func TestTheUsersFileSaysWhichServerAndStoreAreUsed(t *testing.T) {
	own, project := places(t)
	at := config.Find("", filepath.Dir(project))
	for text, want := range map[string]string{
		`{}`:                       "",
		`{"server": "default"}`:    "default",
		`{"server": "auto"}`:       "auto",
		`{"server": "/run/s"}`:     "/run/s",
		`{"server": "below/it.s"}`: filepath.Join(filepath.Dir(own), "below", "it.s"),
	} {
		writeFile(t, own, text)
		writeFile(t, project, `{"server": "/somebody/else", "store": {"url": "nats://else"}}`)
		server, err := at.Server()
		require.NoError(t, err)
		require.Equal(t, want, server, text)
		store, err := at.Store()
		require.NoError(t, err)
		require.Zero(t, store)
	}
	writeFile(t, own, `{"store": {"url": "nats://a,tls://b:4222", "creds": "my.creds"}}`)
	store, err := at.Store()
	require.NoError(t, err)
	require.Equal(t, config.Store{URL: "nats://a,tls://b:4222", Creds: filepath.Join(filepath.Dir(own), "my.creds")}, store)
}

func TestAProjectCannotConfigureServers(t *testing.T) {
	_, project := places(t)
	for text, want := range map[string]string{
		`{"server": "default"}`:          "server: a project cannot set which server to use; your own file can",
		`{"store": {"url": "nats://x"}}`: "store: a project cannot set where sessions are saved; your own file can",
		`{"sessions": {"keep": false}}`:  "sessions: a project cannot set how long sessions are saved; your own file can",
		`{"folders": []}`:                "folders: a project cannot set which folders the page offers; your own file can",
		`{"notify": {"targets": []}}`:    "notify: a project cannot set where notifications are sent; your own file can",
	} {
		writeFile(t, project, text)
		_, err := load(t, project)
		require.EqualError(t, err, project+": "+want)
	}
}

func TestInvalidServersAreErrorsWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		`{"server": ""}`:                                "f:1: server: must be default, auto or the path of a socket",
		`{"server": true}`:                              "f:1: server: must be a string",
		`{"server": "wss://me:secret@x/acp"}`:           "f:1: server: must be default, auto or the path of a socket; for a server elsewhere, add an agent of the type acp-remote",
		"{\n\"store\": {}}":                             "f:2: store: missing key url",
		"{\n\"store\": {\n\"url\": \"http://secret\"}}": "f:3: store.url: must begin with nats://, tls://, ws:// or wss://",
		`{"store": {"url": "nats://a,secret"}}`:         "f:1: store.url: must begin with nats://, tls://, ws:// or wss://",
		`{"store": {"url": "nats://"}}`:                 "f:1: store.url: must begin with nats://, tls://, ws:// or wss://",
		`{"store": "nats://secret"}`:                    "f:1: store: must be an object",
	} {
		_, err := config.Parse("f", []byte(text))
		require.EqualError(t, err, want)
	}
}
