// Package notify tells a user who is elsewhere that a session waits for an answer, or
// that a turn ended or failed: on the desktop, with a webhook, with ntfy, or in the browsers
// whose pages are subscribed.
//
// Contract:
//
//   - A notification only informs. It names the agent, the session's title and the kind
//     of request, and never contains text of the conversation or a way to answer.
//   - It is sent after a while without a client that could answer, and not at all if the
//     request was answered or withdrawn by then, or if somebody saw the turn's end.
//   - Observing never blocks. Each target has its own bounded queue, and its own bounded
//     number of attempts.
//   - Secrets, and the addresses of targets, which may be secret, are never logged.
package notify
