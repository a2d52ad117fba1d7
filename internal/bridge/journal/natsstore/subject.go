package natsstore

import (
	"crypto/sha256"
	"encoding/hex"
)

const (
	streamName = "TURNWIRE"
	ownersName = "turnwire-owners"

	questionsName = "turnwire-questions"

	recordsPrefix = "turnwire.session."
	titlesPrefix  = "turnwire.title."
)

// token returns a subject token for a text. Ids, agents and folders may contain
// anything, but subjects may not.
func token(text string, length int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:length]
}

func agentToken(agent string) string { return token(agent, 8) }
func cwdToken(cwd string) string     { return token(cwd, 16) }

// idToken is long enough to rule out collisions.
func idToken(id string) string { return token(id, 40) }

// place returns the end of a session's subjects.
func place(agent, cwd, id string) string {
	return agentToken(agent) + "." + cwdToken(cwd) + "." + idToken(id)
}

// anyPlace returns the end of a session's subjects if only the id is known.
func anyPlace(id string) string { return "*.*." + idToken(id) }

// roomPlace returns the end of the subjects of an agent's sessions in a folder. ""
// matches any agent or folder.
func roomPlace(agent, cwd string) string {
	a, c := "*", "*"
	if agent != "" {
		a = agentToken(agent)
	}
	if cwd != "" {
		c = cwdToken(cwd)
	}
	return a + "." + c + ".*"
}
