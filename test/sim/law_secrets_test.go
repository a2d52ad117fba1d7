package sim

import (
	"fmt"
	"strings"
)

// secretsLaw: what a user types into a secret field only the agent gets: no client is shown it,
// and it is not saved. A client on stdio is only told that the user is done at a page that it was
// asked to open. A server tells all clients, which ignore the pages that others opened.
type secretsLaw struct {
	pages map[string]*client // by the id of a page: the client that was last asked to open it
}

func newSecrets() law { return &secretsLaw{make(map[string]*client)} }

const secretsStay = "secrets stay secret"

func (*secretsLaw) name() string { return secretsStay }

func (l *secretsLaw) see(_ *World, e *event) error {
	if e.kind != shown {
		return nil
	}
	id := e.message.params.ElicitationID
	switch {
	case e.message.Method == "elicitation/create" && id != "":
		l.pages[id] = e.client
	case e.message.Method == "elicitation/complete" && e.client.kind == editor && l.pages[id] != e.client:
		return fmt.Errorf("%s is told that the user is done at a page that it does not know: %s", e.client.name, e.message.line)
	}
	return leak(e.message.line)
}

// leak returns an error if a text has a secret.
func leak(text string) error {
	if strings.Contains(text, secretMark) {
		return fmt.Errorf("a secret is shown: %s", shorten(text))
	}
	return nil
}

func (*secretsLaw) end(w *World) error {
	for _, path := range sortedKeys(w.server.disk.Sizes()) {
		text, err := w.server.disk.ReadWhole(path, 1<<30)
		if err == nil && strings.Contains(string(text), secretMark) {
			return fmt.Errorf("the file %s has a secret", path)
		}
	}
	return nil
}
