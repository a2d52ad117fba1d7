// Package doctor checks whether an agent works in the editors of a machine, and gives
// advice if it doesn't.
//
// Contract: it changes nothing. To test the agent, it launches this program for one turn,
// in an empty folder and with all permissions refused. It asks programs named in editor
// settings for their version if they are called turnwire. It also asks our servers, named
// in the settings of an editor's built-in chat, for their agents. Each check results in
// [Finding] values.
package doctor
