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

// token is a text as a part of a subject. Ids, agents and folders may hold
// anything, and the names of subjects may not.
func token(text string, length int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:length]
}

func agentToken(agent string) string { return token(agent, 8) }
func cwdToken(cwd string) string     { return token(cwd, 16) }

// idToken is long enough that nobody finds another id with the same.
func idToken(id string) string { return token(id, 40) }

// place is the end of the subjects of a session.
func place(agent, cwd, id string) string {
	return agentToken(agent) + "." + cwdToken(cwd) + "." + idToken(id)
}

// anyPlace is the end of the subjects of a session of which the id alone is known.
func anyPlace(id string) string { return "*.*." + idToken(id) }

// roomPlace is the end of the subjects of the sessions of an agent in a folder;
// "" is any.
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
