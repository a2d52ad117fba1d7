// Package setup makes an agent appear in editors. It adds the agent to the settings of
// each editor, and removes it again.
//
// Contract: an editor has one or more files ([Editor.Files]), each with its own format.
// [File.Put] and [File.Drop] compute a [Change] and write nothing; only [Change.Apply]
// writes. The rest of a file is never changed: comments, order and formatting stay. If
// nothing else changed since Put, Drop restores the file byte for byte. A file that can't
// be parsed is left alone, and the error gives the position of the mistake.
//
// Writing replaces the file atomically. The new file has the mode and the owner of the
// old one, and symbolic links are followed. The old text is saved in a backup, which
// never overwrites another one.
package setup
