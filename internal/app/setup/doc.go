// Package setup makes an agent appear in editors: it adds the agent to the
// settings of each editor, and removes it again.
//
// Contract: an editor has one or more files ([Editor.Files]), each in a format
// of its own. [File.Put] and [File.Drop] compute a [Change] and write nothing;
// only [Change.Apply] writes. The rest of a file is never changed: comments,
// order and formatting stay. If nothing else has changed since Put, Drop
// restores the file byte for byte. A file that cannot be understood is left
// alone, and the error says where it is wrong.
//
// Writing replaces the file: the new text appears as a whole or not at all,
// with the mode and the owner of the old one, and through symbolic links. The
// old text is kept in a backup, which never overwrites another one.
package setup
