package edit

import "strings"

// A task is what a tool does, as far as its name tells.
type task byte

const (
	unknown task = iota
	writes
	appends
	patches
)

// nameOf returns what the tool with a name does. The name counts without the
// server or group before it, in any case, with any separators, and without a
// "tool" at its end: mcp__files__write_file, WriteFile and writeFileTool are
// one name. Parts of names do not count: "append_to_file" does not write a
// whole file.
func nameOf(name string) task {
	if at := strings.LastIndex(name, "__"); at >= 0 {
		name = name[at+2:]
	}
	if at := strings.LastIndexAny(name, "./:"); at >= 0 {
		name = name[at+1:]
	}
	var room [32]byte
	folded := room[:0]
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_', c == '-', c == ' ':
			continue
		case len(folded) == len(room):
			return unknown
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		folded = append(folded, c)
	}
	if n := len(folded) - len("tool"); n > 0 && string(folded[n:]) == "tool" {
		folded = folded[:n]
	}
	switch string(folded) {
	case "write", "writefile", "writetextfile", "writetofile", "filewrite", "fswrite", "fswritefile", "createfile",
		"createtextfile", "createnewfile", "newfile", "savefile", "overwritefile":
		return writes
	case "append", "appendfile", "appendtofile", "fileappend":
		return appends
	case "applypatch", "patch", "patchfile", "filepatch", "applydiff", "applyunifieddiff", "edit", "editfile":
		return patches
	}
	return unknown
}
