package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// agentShell has of the package agent-shell what concerns us.
const agentShell = `;;; -*- lexical-binding: t -*-
(require 'cl-lib)
(cl-defun agent-shell-make-agent-config
    (&key identifier mode-line-name buffer-name shell-prompt shell-prompt-regexp client-maker)
  (list (cons :identifier identifier) (cons :mode-line-name mode-line-name)
        (cons :buffer-name buffer-name) (cons :shell-prompt shell-prompt)
        (cons :shell-prompt-regexp shell-prompt-regexp) (cons :client-maker client-maker)))
(defvar agent-shell-agent-configs
  (list (agent-shell-make-agent-config :identifier 'claude-code :buffer-name "Claude")))
(cl-defun acp-make-client (&key command command-params context-buffer)
  (cl-assert (bufferp context-buffer))
  (vconcat (cons command command-params)))
(provide 'agent-shell)
`

// report prints the agents of agent-shell, in JSON.
const emacsReport = `(progn
  (when (featurep 'agent-shell) (error "agent-shell was loaded too early"))
  (require 'agent-shell)
  (require 'json)
  (princ (json-encode
          (mapcar (lambda (config)
                    (let ((maker (alist-get :client-maker config))
                          (prompt (alist-get :shell-prompt config)))
                      (list (cons 'id (alist-get :identifier config))
                            (cons 'name (alist-get :buffer-name config))
                            (cons 'prompt (and prompt (string-match-p (alist-get :shell-prompt-regexp config) prompt)))
                            (cons 'run (and maker (funcall maker (current-buffer)))))))
                  agent-shell-agent-configs))))`

type emacsAgent struct {
	ID, Name string
	Prompt   *int // where the pattern of the prompt matches the prompt
	Run      []string
}

// The agents come to those that are there, whether or not the init file has
// lexical binding.
func TestSetupOfEmacsReachesAgentShell(t *testing.T) {
	_, err := exec.LookPath("emacs")
	require.NoError(t, err, "this test needs Emacs (emacs-nox)")
	for _, first := range []string{"", ";;; -*- lexical-binding: t -*-\n", "(setq inhibit-startup-screen t)"} {
		p := newPerson(t)
		p.has(".emacs.d/init.el", first)
		p.has("lisp/agent-shell.el", agentShell)
		require.Zero(t, p.run("setup", "emacs", "--yes").code)
		require.Zero(t, p.run("setup", "emacs", "--yes", "--name", `My "own" \agent [x]`, "--", "prog", `a "b" \c`, "").code)

		cmd := exec.CommandContext(t.Context(), "emacs", "--batch", "--no-site-file", "-L", p.home+"/lisp", "-l", p.home+"/.emacs.d/init.el", "--eval", emacsReport)
		cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
		out, err := cmd.Output()
		require.NoError(t, err)
		var agents []emacsAgent
		require.NoError(t, json.Unmarshal(out, &agents), "%s", out)
		begin := 0
		require.Equal(t, []emacsAgent{
			{ID: "claude-code", Name: "Claude"},
			{"turnwire", "Turnwire", &begin, []string{p.program(), "acp"}},
			{"my-own-agent-x", `My "own" \agent [x]`, &begin, []string{p.program(), "acp", "--", "prog", `a "b" \c`, ""}},
		}, agents)

		require.Zero(t, p.run("setup", "emacs", "--remove", "--yes").code)
		require.Zero(t, p.run("setup", "emacs", "--remove", "--yes", "--name", `My "own" \agent [x]`).code)
		require.Equal(t, first, p.file(".emacs.d/init.el"))
	}
}

// An agent-shell that is not as we know it must not keep Emacs from loading
// it.
func TestSetupOfEmacsBreaksNoOtherAgentShell(t *testing.T) {
	p := newPerson(t)
	p.has("lisp/agent-shell.el", "(provide 'agent-shell)")
	require.Zero(t, p.run("setup", "emacs", "--yes").code)
	cmd := exec.CommandContext(t.Context(), "emacs", "--batch", "--no-site-file", "-L", p.home+"/lisp", "-l", p.home+"/.emacs.d/init.el", "--eval", "(progn (require 'agent-shell) (princ \"went on\"))")
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "turnwire setup: (void-variable agent-shell-agent-configs)")
	require.Contains(t, string(out), "went on")
}
