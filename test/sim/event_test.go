package sim

import "time"

// An event is something that a client or an agent saw or did. The laws see all events in
// order.
type event struct {
	kind    eventKind
	client  *client       // for sent, shown and ended
	mirror  *mirror       // for mirrored, confirmed and stopped
	actor   *actor        // for all other kinds but rested
	message *message      // for sent and shown
	session string        // the session's id, or ""
	turn    string        // the token of the turn's prompt, or ""
	subject string        // a piece of text, or the id of a tool call, an event or a poll
	allows  bool          // for decided and confirmed: the decision permits the call; for advised: it is no error
	passed  bool          // for decided: another server than the one that was asked gave the answer
	reason  string        // for finished; for decided: the kind of the option; for notified: what the agent is told; for advised: the result; for cancelled: the method
	texts   []string      // for remembered: the user's messages
	again   int           // for began: the turn continues an earlier one
	call    *call         // for sent requests and their responses: the client's request
	request *request      // for a request to a client, and for its answer
	part    *part         // for an answer that accepts a part of an edit
	fresh   []string      // for shown and mirrored: the pieces of text in it
	rest    string        // for ended: what came after the last whole line
	age     time.Duration // for pruned: how old sessions may be; 0 if they may have any age
	limited bool          // for pruned: their size is limited
	server  *server       // for fenced and slain
}

type eventKind int

const (
	sent       eventKind = iota // a client wrote a message
	shown                       // a client read a message
	ended                       // a client's connection ended
	began                       // an agent read a prompt
	greeted                     // an agent wrote an update of a session before it named the session
	said                        // an agent wrote a piece of text
	asked                       // an agent asked for permission, or asked a question
	decided                     // an agent read the answer
	cancelled                   // an agent read a cancel
	reopened                    // an agent read that a session that it has saved is opened again
	finished                    // an agent ended a turn
	died                        // an agent's program ended
	ruled                       // the operator changed the rules
	remembered                  // an agent read what preceded its start
	steered                     // an agent read a message for its turn
	notified                    // an agent was told that a part of its change was written
	misended                    // an agent started or ended a call with another one's id
	mirrored                    // an AHP client was shown a chat, or a change of it
	confirmed                   // an AHP client answers a request for permission
	stopped                     // an AHP client cancels a turn
	pruned                      // the operator deleted a session, because it is old
	instructed                  // an agent read the client's instructions for a session
	resolved                    // an agent no longer waits for an answer
	fenced                      // a server was told that another one took over a session
	slain                       // a server is killed now
	announced                   // an agent wrote a notification without a session
	polled                      // an agent wrote a request without a session
	advised                     // an agent read the answer to it
	desisted                    // an agent withdrew it
	rested                      // nothing will happen any more: connections are good, and turns are cancelled
)

// A law is a promise that Turnwire makes. It sees every event, and the end of the world.
type law interface {
	// name names the promise, for messages.
	name() string
	// see returns an error if an event breaks the law.
	see(w *World, e *event) error
	// end returns an error if something is missing at the end of a world.
	end(w *World) error
}

// laws returns the laws for a new world.
func laws() []law {
	return []law{
		newValidLines(), newOneAnswer(), newTextOnce(), newCallsEnd(), newNothingFollows(),
		newRules(), newConsent(), newAnsweredRequests(), newObservers(), newCancels(), newTold(), newRefused(), newOffered(), newClosed(),
		newSeparateMessages(), newGreeting(), newConverge(), newMirrors(), newTurnsEnd(), newSaved(), newAudited(), newNothingLeft(), newEdits(), newRevoked(), newOdd(), newSteering(), newRewinds(), newHelpers(), newTerminals(), newIdle(),
		newSnapshots(), newSequence(), newReplies(), newOutcomes(), newQueued(), newListed(), newWrong(), newPruned(), newNoticed(), newAsked(), newSecrets(), newInstructions(), newLiving(), newRecorded(), newUnseen(), newPlaces(), newPolls(),
	}
}
