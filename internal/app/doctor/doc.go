// Package doctor checks whether an agent works in the editors of a machine, and
// says what to do if it does not.
//
// Contract: it changes nothing. It starts the agent that the user asks about,
// by launching this program for one turn, in an empty folder and with all
// permissions refused. It also asks programs that the settings of editors name
// for their version, if they are called turnwire, and servers of ours that the
// settings of an editor's own chat name for their agents. Each check results in
// [Finding] values.
package doctor
