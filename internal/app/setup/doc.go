// Package setup makes an agent appear in editors: it writes the settings of
// each, and takes them out again.
//
// Contract: an editor has one or more files ([Editor.Files]), each with a
// format of its own. [File.Put] and [File.Drop] say what a file would become,
// as a [Change], and touch nothing; only [Change.Apply] writes. What is not
// ours in a file is never changed: comments, order and formatting stay, and
// where nothing else has changed meanwhile Drop gives the bytes back that were
// there before Put. A file that cannot be understood is an error that says
// where, and stays as it is.
//
// To write is to replace: the new text is there as a whole or not at all, with
// the mode and the owner of the old one, and through symbolic links. The old
// text is kept in a backup, which never takes the place of another one.
package setup
