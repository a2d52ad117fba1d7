package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A tool is one of those that a [Box] has.
type tool struct {
	agent.OfferedTool
	// parse returns what to run for a call's arguments.
	parse func(args []byte) (task, error)
	// unlisted means that agents are not offered the tool.
	unlisted bool
}

// A task is a call whose arguments were parsed.
type task interface {
	// view describes the call for the user.
	view() agent.View
	// run runs the call, and returns after it has ended.
	run(c *call) Result
}

// taskOf returns a tool's parse function.
func taskOf[T task](args []byte) (task, error) {
	var t T
	if err := exactjson.Unmarshal(args, &t); err != nil {
		return nil, err
	}
	return t, nil
}

// The names of the tools.
const (
	ReadFile   = "read_file"
	ListFiles  = "list_files"
	Search     = "search"
	EditFile   = "edit_file"
	WriteFile  = "write_file"
	AppendFile = "append_file" // not offered to agents
	RunCommand = "run_command"
	AskUser    = "ask_user"
	UpdatePlan = "update_plan"
)

// table returns all tools, in the order in which they are offered.
func table() []tool {
	return []tool{
		{OfferedTool: agent.OfferedTool{Name: ReadFile, Description: "Read a text file of the user's project. Returns its text; unsaved changes in the editor are included. " +
			"Use line and limit for a part of a long file.",
			Parameters: schema(`"path":{"type":"string","description":"The file, relative to the project's folder or absolute."},`+
				`"line":{"type":"integer","minimum":1,"description":"The first line to return, starting at 1."},`+
				`"limit":{"type":"integer","minimum":1,"description":"The number of lines to return."}`, "path")}, parse: taskOf[readTask]},
		{OfferedTool: agent.OfferedTool{Name: ListFiles, Description: "List the files in a folder of the user's project, or all files that match a glob. " +
			"Folders end with a slash. A glob may contain ** for any folders, as in src/**/*.ts.",
			Parameters: schema(`"path":{"type":"string","description":"The folder to list. The default is the project's folder."},` +
				`"glob":{"type":"string","description":"List the files anywhere in the project that match this glob instead."}`)}, parse: taskOf[listTask]},
		{OfferedTool: agent.OfferedTool{Name: Search, Description: "Search the saved text files of the user's project for a regular expression (RE2 syntax). " +
			"Returns matching lines as FILE:LINE: TEXT.",
			Parameters: schema(`"pattern":{"type":"string","description":"The regular expression. (?i) at its beginning ignores case."},`+
				`"glob":{"type":"string","description":"Search only files that match this glob, such as *.go or docs/**."}`, "pattern")}, parse: taskOf[searchTask]},
		{OfferedTool: agent.OfferedTool{Name: EditFile, Description: "Replace text in a file of the user's project. Each edit replaces old_text, which must occur in the file exactly once, " +
			"so include enough of the lines around it. Several edits of one file are applied in order, all or none. The user sees the diff and may refuse it.",
			Parameters: schema(`"path":{"type":"string","description":"The file, relative to the project's folder or absolute."},`+
				`"edits":{"type":"array","minItems":1,"items":{"type":"object","properties":{`+
				`"old_text":{"type":"string","description":"The text to replace, exactly as in the file."},`+
				`"new_text":{"type":"string","description":"The text to put in its place."}},"required":["old_text","new_text"],"additionalProperties":false}}`, "path", "edits")}, parse: taskOf[editTask]},
		{OfferedTool: agent.OfferedTool{Name: WriteFile, Description: "Create a file in the user's project, or replace its whole text. Prefer " + EditFile + " for a change of an existing file. " +
			"The user sees the diff and may refuse it.",
			Parameters: schema(`"path":{"type":"string","description":"The file, relative to the project's folder or absolute. Missing folders are created."},`+
				`"content":{"type":"string","description":"The file's whole new text."}`, "path", "content")}, parse: taskOf[writeTask]},
		{OfferedTool: agent.OfferedTool{Name: AppendFile, Parameters: schema(`"path":{"type":"string"},"text":{"type":"string"}`, "path", "text")}, parse: taskOf[appendTask], unlisted: true},
		{OfferedTool: agent.OfferedTool{Name: RunCommand, Description: "Run a shell command in the project's folder, such as a build or a test. Returns its output and exit code. " +
			"The user may refuse it. The command gets no input, and is stopped after the time limit, so don't start programs that wait for the user.",
			Parameters: schema(`"command":{"type":"string","description":"The command line."},`+
				`"timeout":{"type":"number","exclusiveMinimum":0,"maximum":600,"description":"The time limit in seconds. The default is 600."}`, "command")}, parse: taskOf[runTask]},
		{OfferedTool: agent.OfferedTool{Name: AskUser, Description: "Ask the user a question, and wait for the answer. Offer options if the answer is likely one of a few.",
			Parameters: schema(`"question":{"type":"string"},`+
				`"options":{"type":"array","items":{"type":"string"},"description":"Answers to choose from."},`+
				`"free_text":{"type":"boolean","description":"The user may also type another answer. Without options, always true."}`, "question")}, parse: taskOf[askTask]},
		{OfferedTool: agent.OfferedTool{Name: UpdatePlan, Description: "Show the user your plan for a task with several steps, and update it as you work. Each call replaces the whole plan.",
			Parameters: schema(`"entries":{"type":"array","items":{"type":"object","properties":{"content":{"type":"string"},`+
				`"status":{"type":"string","enum":["pending","in_progress","completed"]}},"required":["content","status"],"additionalProperties":false}}`, "entries")}, parse: taskOf[planTask]},
	}
}

// schema returns the JSON Schema of an object with properties.
func schema(properties string, required ...string) json.RawMessage {
	list, err := json.Marshal(append([]string{}, required...))
	if err != nil { // can't happen: they are strings
		panic(err)
	}
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":` + string(list) + `,"additionalProperties":false}`)
}

// All returns the tools that agents are offered.
func All() (all []agent.OfferedTool) {
	for _, t := range table() {
		if !t.unlisted {
			all = append(all, t.OfferedTool)
		}
	}
	return all
}

// Names returns the names of offered tools.
func Names(offered []agent.OfferedTool) []string {
	names := make([]string, len(offered))
	for i, t := range offered {
		names[i] = t.Name
	}
	return names
}

// Named returns the tools with the given names, in the order of [All]. An unknown name is
// an error that lists the known ones.
func Named(names []string) (list []agent.OfferedTool, err error) {
	all := All()
	known := Names(all)
	for _, t := range all {
		if slices.Contains(names, t.Name) {
			list = append(list, t)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown tool %q; the tools are %s", name, strings.Join(known, ", "))
		}
	}
	return list, nil
}
