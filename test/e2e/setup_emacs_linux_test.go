//go:build external

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// agentShell is the part of the package agent-shell that setup uses; %s is the
// value of its variable.
const agentShell = `;;; -*- lexical-binding: t -*-
(require 'cl-lib)
(cl-defun agent-shell-make-agent-config
    (&key identifier mode-line-name buffer-name shell-prompt shell-prompt-regexp client-maker)
  (list (cons :identifier identifier) (cons :mode-line-name mode-line-name)
        (cons :buffer-name buffer-name) (cons :shell-prompt shell-prompt)
        (cons :shell-prompt-regexp shell-prompt-regexp) (cons :client-maker client-maker)))
(defun claude-code () (agent-shell-make-agent-config :identifier 'claude-code :buffer-name "Claude"))
(defun everything () (list #'claude-code))
(defvar agent-shell-agent-configs %s)
(cl-defun acp-make-client (&key command command-params context-buffer)
  (cl-assert (bufferp context-buffer))
  (vconcat (cons command command-params)))
(provide 'agent-shell)
`

// agentShells are the forms of agent-shell's agents: older versions create them
// at once, later ones on demand. A user may also have a function instead of the
// list.
var agentShells = map[string]string{
	"made at once":               `(list (claude-code))`,
	"functions":                  `(list #'claude-code)`,
	"compiled functions":         `(list (byte-compile (lambda () (claude-code))))`,
	"a function for the list":    `#'everything`,
	"a nameless one for it":      `(lambda () (list (claude-code)))`,
	"one without closure for it": `'(lambda () (list #'claude-code))`,
}

// emacsReport prints agent-shell's agents as JSON. It loads the init file
// twice, as users do after changing it.
const emacsReport = `(progn
  (when (featurep 'agent-shell) (error "agent-shell was loaded too early"))
  (load "~/.emacs.d/init.el" nil t)
  (require 'agent-shell)
  (load "~/.emacs.d/init.el" nil t)
  (require 'json)
  (princ (json-encode
          (mapcar (lambda (entry)
                    (let* ((config (if (functionp entry) (funcall entry) entry))
                           (maker (alist-get :client-maker config))
                           (prompt (alist-get :shell-prompt config)))
                      (list (cons 'id (alist-get :identifier config))
                            (cons 'name (alist-get :buffer-name config))
                            (cons 'prompt (and prompt (string-match-p (alist-get :shell-prompt-regexp config) prompt)))
                            (cons 'run (and maker (funcall maker (current-buffer)))))))
                  (if (functionp agent-shell-agent-configs)
                      (funcall agent-shell-agent-configs)
                    agent-shell-agent-configs)))))`

type emacsAgent struct {
	ID, Name string
	Prompt   *int // where the prompt's pattern matches the prompt
	Run      []string
}

// emacs starts Emacs with the user's init file, and evaluates a form.
func (p *user) emacs(form string) (stdout, stderr string) {
	p.t.Helper()
	_, err := exec.LookPath("emacs")
	require.NoError(p.t, err, "this test needs Emacs (emacs-nox)")
	cmd := exec.CommandContext(p.t.Context(), "emacs", "--batch", "--no-site-file", "-L", p.home+"/lisp", "-l", p.home+"/.emacs.d/init.el", "--eval", form)
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	var out, messages strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &messages
	require.NoError(p.t, cmd.Run(), "%s", &messages)
	return out.String(), messages.String()
}

// emacsAgents returns agent-shell's agents.
func (p *user) emacsAgents() []emacsAgent {
	p.t.Helper()
	stdout, stderr := p.emacs(emacsReport)
	require.Empty(p.t, stderr)
	var agents []emacsAgent
	require.NoError(p.t, json.Unmarshal([]byte(stdout), &agents), "%s", stdout)
	return agents
}

// The agents are added once to any existing ones, with and without lexical
// binding in the init file.
func TestSetupOfEmacsReachesAgentShell(t *testing.T) {
	t.Parallel()
	for form, value := range agentShells {
		for kind, first := range map[string]string{
			"an empty init file":       "",
			"one with lexical binding": ";;; -*- lexical-binding: t -*-\n",
			"an unfinished one":        "(setq inhibit-startup-screen t)",
		} {
			t.Run(form+", "+kind, func(t *testing.T) {
				p := newUser(t)
				p.has(".emacs.d/init.el", first)
				p.has("lisp/agent-shell.el", fmt.Sprintf(agentShell, value))
				require.Zero(t, p.run("setup", "emacs", "--yes").code)
				require.Zero(t, p.run("setup", "emacs", "--yes", "--name", `My "own" \agent [x]`, "--", "prog", `a "b" \c`, "").code)

				begin := 0
				require.Equal(t, []emacsAgent{
					{ID: "claude-code", Name: "Claude"},
					{"turnwire", "Turnwire", &begin, []string{p.program(), "acp"}},
					{"turnwire-my-own-agent-x", `My "own" \agent [x]`, &begin, []string{p.program(), "acp", "--", "prog", `a "b" \c`, ""}},
				}, p.emacsAgents())

				require.Zero(t, p.run("setup", "emacs", "--remove", "--yes").code)
				require.Zero(t, p.run("setup", "emacs", "--remove", "--yes", "--name", `My "own" \agent [x]`).code)
				require.Equal(t, first, p.file(".emacs.d/init.el"))
			})
		}
	}
}

// An agent that the user has defined stays unchanged, and ours with the same
// identifier is not added.
func TestSetupOfEmacsReplacesNoAgentOfTheUser(t *testing.T) {
	t.Parallel()
	const own = `(list #'claude-code (agent-shell-make-agent-config :identifier 'turnwire :buffer-name "Mine"))`
	for _, value := range []string{own, "(lambda () " + own + ")"} {
		p := newUser(t)
		p.has("lisp/agent-shell.el", fmt.Sprintf(agentShell, value))
		require.Zero(t, p.run("setup", "emacs", "--yes").code)
		require.Equal(t, []emacsAgent{{ID: "claude-code", Name: "Claude"}, {ID: "turnwire", Name: "Mine"}}, p.emacsAgents(), value)
	}
}

// An unknown version of agent-shell is reported. Emacs still loads it, and it
// keeps its agents.
func TestSetupOfEmacsBreaksNoOtherAgentShell(t *testing.T) {
	t.Parallel()
	const known = "(defvar agent-shell-agent-configs %s)"
	for _, c := range []struct{ definition, stderr, stdout string }{
		{"", "(void-variable agent-shell-agent-configs)", "went on with nil"},
		{fmt.Sprintf(known, "'(theirs)"), "(void-function agent-shell-make-agent-config)", "went on with (theirs)"},
		{fmt.Sprintf(known, "(lambda () '(theirs))"), "(void-function agent-shell-make-agent-config)", "went on with (theirs)"},
	} {
		p := newUser(t)
		p.has("lisp/agent-shell.el", c.definition+"\n(provide 'agent-shell)")
		require.Zero(t, p.run("setup", "emacs", "--yes").code)
		stdout, stderr := p.emacs(`(progn
  (require 'agent-shell)
  (let ((configs (bound-and-true-p agent-shell-agent-configs)))
    (princ (format "went on with %s" (if (functionp configs) (funcall configs) configs)))))`)
		require.Equal(t, "turnwire setup: "+c.stderr+"\n", stderr)
		require.Equal(t, c.stdout, stdout)
	}
}
