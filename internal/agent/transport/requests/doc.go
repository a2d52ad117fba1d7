// Package requests keeps the confirmations and questions that an agent's server waits
// for, and passes on the user's answers.
//
// Each request is answered once, although streams repeat requests, other clients answer
// them too, and calls fail. If it is unknown whether an answer has reached the server, only
// a refusal may follow: a permission that a cancel overtook must not be given again.
//
// The server may accept answers only from some time on. Until then, a [Book] defers them.
package requests
