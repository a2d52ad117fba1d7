package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
)

var vscode = Editor{
	Name:  "vscode",
	Title: "VS Code",
	Start: "Open the Turnwire view in the side bar and choose “%s”.",
	empty: vscodeFormat{},
	files: vscodeFiles,
}

// The extensions that launch agents: our own, and another one.
const (
	ownExtension   = "turnwire.turnwire"
	otherExtension = "formulahendry.acp-client"
)

// A variant is an edition of VS Code.
type variant struct {
	title      string
	settings   string // the name of its settings folder
	extensions string // the folder of its extensions, below the home directory
	program    string
	server     string // the folder of its server on a remote machine
	flatpak    string // its application name in Flatpak
	data       string // the folder with its extensions in Flatpak
}

var variants = []variant{
	{"VS Code", "Code", ".vscode", "code", ".vscode-server", "com.visualstudio.code", "vscode"},
	{"VS Code Insiders", "Code - Insiders", ".vscode-insiders", "code-insiders", ".vscode-server-insiders", "com.visualstudio.code.insiders", "vscode-insiders"},
	{"VSCodium", "VSCodium", ".vscode-oss", "codium", ".vscodium-server", "com.vscodium.codium", "codium"},
	{"Code - OSS", "Code - OSS", ".vscode-oss", "code-oss", ".vscode-server-oss", "com.visualstudio.code-oss", "vscode-oss"},
}

// The settings folders. On a remote machine, only that machine's own settings apply: the
// editor ignores a user's settings about programs there.
const (
	personal  = "User"
	ofMachine = "Machine"
)

func vscodeFiles(m Machine) []File {
	var files []File
	for _, v := range variants {
		dir := filepath.Join(m.appData(), v.settings)
		f := vscodeFile(v.title, v.program, filepath.Join(dir, personal), m.home(v.extensions, "extensions"), exists(dir) || m.hasProgram(v.program))
		// A remote window has its own settings and no built-in chat.
		f.hosts, f.Version = true, v.version(m)
		files = append(files, f)
	}
	for _, v := range variants {
		server := m.home(v.server)
		files = append(files, vscodeFile(v.title+" (remote)", v.program, filepath.Join(server, "data", ofMachine), filepath.Join(server, "extensions"), exists(server)))
		if sandbox := m.flatpak(v.flatpak); m.OS == "linux" && exists(sandbox) {
			f := vscodeFile(v.title+" (Flatpak)", "flatpak run "+v.flatpak, filepath.Join(sandbox, "config", v.settings, personal), filepath.Join(sandbox, "data", v.data, "extensions"), true)
			f.Notes = append(f.Notes, sandboxed)
			files = append(files, f)
		}
	}
	dir := filepath.Join(m.xdgData(), "code-server")
	return append(files, vscodeFile("code-server", "code-server", filepath.Join(dir, ofMachine), filepath.Join(dir, "extensions"), exists(dir) || m.hasProgram("code-server")))
}

// vscodeFile returns the settings file in a folder.
func vscodeFile(title, program, dir, extensions string, found bool) File {
	f := File{
		Title:  title,
		Path:   filepath.Join(dir, "settings.json"),
		Found:  found,
		format: vscodeFormat{client: hasExtension(extensions, otherExtension)},
	}
	if !hasExtension(extensions, ownExtension) {
		f.Notes = append(f.Notes, Note{
			"the extension is not installed",
			"In a checkout of Turnwire, with Node.js 20 or later: make vscode && " + program + " --install-extension editors/vscode/dist/turnwire.vsix",
		})
	}
	return f
}

// hasExtension reports whether any version of an extension is installed in a folder.
func hasExtension(dir, name string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(strings.ToLower(e.Name()), name+"-")
	})
}

// The settings of our extension.
const (
	settingCommand = "turnwire.command"
	settingAgents  = "turnwire.agents"
	settingAgent   = "turnwire.agent"
)

// others is the format of the other extension's agents.
var others = servers{key: "acp.agents", unit: "    "}

// vscodeFormat is the format of our extension's settings. If client is set, it also
// writes those of the other extension.
type vscodeFormat struct{ client bool }

func (f vscodeFormat) add(text []byte, a Agent) ([]byte, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	d.Unit = others.unit
	entry := jsonc.Object{{Name: "args", Value: append([]string{}, a.Args...)}}
	names, err := d.Names(settingAgents)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, a.Name) {
		entry = append(entry, jsonc.Member{Name: "env", Value: jsonc.Object{}})
	}
	if err := d.Set(a.Command, settingCommand); err != nil {
		return nil, err
	}
	if err := d.Set(entry, settingAgents, a.Name); err != nil {
		return nil, err
	}
	if err := d.Set(a.Name, settingAgent); err != nil {
		return nil, err
	}
	if f.client {
		if err := others.set(d, a); err != nil {
			return nil, err
		}
	}
	return d.Bytes(), nil
}

func (f vscodeFormat) drop(text []byte, name string) ([]byte, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	if err := d.Remove(settingAgents, name); err != nil {
		return nil, err
	}
	var chosen string
	if _, err := d.Decode(&chosen, settingAgent); err != nil {
		return nil, err
	}
	var unused []string
	if d.IsEmpty(settingAgents) {
		unused = append(unused, settingAgents, settingCommand)
	}
	if chosen == name {
		unused = append(unused, settingAgent)
	}
	for _, key := range unused {
		if err := d.Remove(key); err != nil {
			return nil, err
		}
	}
	if f.client {
		if err := others.unset(d, name); err != nil {
			return nil, err
		}
	}
	return d.Bytes(), nil
}

func (f vscodeFormat) agents(text []byte) ([]Agent, error) {
	d, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	var command string
	if _, err := d.Decode(&command, settingCommand); err != nil {
		return nil, err
	}
	names, err := d.Names(settingAgents)
	if err != nil {
		return nil, err
	}
	var agents []Agent
	for _, name := range names {
		a := Agent{Name: name} // for an entry of an unknown shape, only the name is known
		var args []string
		if _, err := d.Decode(&args, settingAgents, name, "args"); err == nil {
			a.Command, a.Args = command, args
		}
		agents = append(agents, a)
	}
	return agents, nil
}
