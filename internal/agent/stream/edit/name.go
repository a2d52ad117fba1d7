package edit

import "strings"

// A task is what a tool does, judging by its name.
type task byte

const (
	unknown task = iota
	writes
	appends
	patches
)

// nameOf returns what the tool called name does. It ignores the server or
// group before the name, case, separators, and a final "tool":
// mcp__files__write_file, WriteFile and writeFileTool are the same. The rest
// must match completely, because "append_to_file" does not write a whole
// file.
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
