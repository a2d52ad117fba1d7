package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// A client is one that a row of the table is about.
type client struct {
	name    string // of its folders, and for -only
	title   string
	source  string // where its cells come from
	install install
	run     func(ctx context.Context, l *lab, name string, cells map[string]cell) error
}

// partner is the agent of clients that are driven here.
var partner = agents[0]

var sdkTypeScript, sdkPython = npm("@agentclientprotocol/sdk"), pypi("agent-client-protocol")

var clients = []client{
	{"sdk-typescript", "TypeScript SDK", sdkTypeScript.String(), sdkTypeScript, withPartner("node", "probe.mjs")},
	{"sdk-python", "Python SDK", sdkPython.String(), sdkPython, withPartner(filepath.Join("bin", "python3"), "probe.py")},
	{"run", "`turnwire run`", "", checkout(), runCommand},
	{"chat", "`turnwire chat`", "`test/e2e`, in a terminal", checkout(), suites["chat"].run},
	{"vscode", "VS Code extension", "`editors/vscode/test/vscode`, in code-server", host("code-server", "node", "-p", `require("./editors/vscode/test/code-server/node_modules/code-server/package.json").version`), suites["vscode"].run},
	{"page", "page of `turnwire serve`", "`editors/vscode/test/page`, in Chromium", host("Chromium", chromium(), "--version"), suites["page"].run},
	{"neovim", "Neovim plugin", "`editors/neovim/test`", host("Neovim", filepath.Join("editors", "neovim", "test", "nvim.sh"), "--version"), suites["neovim"].run},
	{"emacs", "Emacs package", "`editors/emacs/test`, with a stand-in for agent-shell", host("Emacs", "emacs", "--version"), suites["emacs"].run},
}

// suites are the test suites that run a client.
var suites = map[string]suite{
	"chat": {
		words: []string{"go", "test", "-count=1", "-v", "-timeout", "20m", "-run", "^TestAConversationInATerminal$", "./test/e2e"},
		cells: map[string]string{
			"turn": "TestAConversationInATerminal", "allow": "TestAConversationInATerminal", "load": "TestAConversationInATerminal",
		},
	},
	"vscode": {
		words: nodeSuite("vscode/turn", "vscode/open"), dir: "editors/vscode",
		cells: map[string]string{
			"turn":   "a call allowed by a button in the chat runs, and can be undone",
			"allow":  "a call allowed by a button in the chat runs, and can be undone",
			"refuse": "a rejected call is not run",
			"load":   "the chat comes back when the window is loaded again",
			"modes":  "the mode that was chosen survives a reload of the window, and holds for new chats",
		},
	},
	"page": {
		words: nodeSuite("page/turn"), dir: "editors/vscode",
		cells: map[string]string{
			"turn":   "a turn is shown as it streams",
			"allow":  "a tap allows a change whose diff was shown",
			"cancel": "a turn is cancelled",
			"load":   "a page that is loaded again shows how requests were answered and turns ended",
		},
	},
	"neovim": {
		words: []string{"editors/neovim/test/run"},
		cells: map[string]string{
			"turn":   "turn: a turn shows its thought, plan, tools, files and text",
			"allow":  "confirm: a allows once, and the next call asks again",
			"refuse": "confirm: r rejects, and nothing is written",
			"cancel": "turn: a cancel ends a running turn",
			"load":   "sessions: :TurnwireContinue shows the last chat as it was, and it goes on",
			"modes":  "settings: modes and options are above the prompt, and are chosen in menus",
		},
		missing: map[string]string{"images": no},
	},
	"emacs": {
		words: []string{"editors/emacs/test/run"},
		cells: map[string]string{"turn": "turnwire-test-a-turn-with-the-real-program"},
	},
}

var clientColumns = []column{
	{"turn", "turn", "a prompt is sent, and the text arrives"},
	{"allow", "allow", "the user allows what the agent asks, and it is done"},
	{"refuse", "refuse", "the user refuses it, and it isn't done"},
	{"cancel", "cancel", "the user cancels a turn"},
	{"load", "load", "an earlier conversation is shown or continued"},
	{"images", "images", "an image is sent with a prompt"},
	{"modes", "modes", "the user changes the session's mode"},
}

// withPartner drives the partner with an SDK. The interpreter may be in the SDK's folder.
func withPartner(interpreter, script string) func(context.Context, *lab, string, map[string]cell) error {
	return func(ctx context.Context, l *lab, name string, cells map[string]cell) error {
		if err := l.installPartner(ctx); err != nil {
			return err
		}
		folder := l.folder("programs", name)
		if filepath.Base(interpreter) != interpreter {
			interpreter = filepath.Join(folder, interpreter)
		}
		return l.probe(ctx, partner, name, interpreter, filepath.Join(folder, script), cells)
	}
}

func (l *lab) installPartner(ctx context.Context) error {
	if _, err := partner.install.run(ctx, l, l.folder("programs", partner.name)); err != nil {
		return fmt.Errorf("%s can't be installed: %w", partner.title, err)
	}
	return nil
}

// chromium returns the browser of the tests.
func chromium() string {
	if name := os.Getenv("CHROMIUM"); name != "" {
		return name
	}
	return "chromium"
}
