;;; agent-shell.el --- Stub of agent-shell for the tests of turnwire.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; The functions that turnwire.el calls, with their arguments, and the variable
;; that it sets.

;;; Code:

(require 'cl-lib)

(defgroup agent-shell nil "Stands for the real group." :group 'tools)

(defvar agent-shell-agent-configs nil
  "Entries, or a function that returns them; an entry may be a function too.")

(defvar agent-shell-started nil "The configuration that was started last.")

(cl-defun agent-shell-make-agent-config (&key identifier mode-line-name buffer-name shell-prompt
                                              shell-prompt-regexp client-maker)
  "Make a configuration of IDENTIFIER, MODE-LINE-NAME, BUFFER-NAME and others.
SHELL-PROMPT, SHELL-PROMPT-REGEXP and CLIENT-MAKER are as in the real one."
  (list (cons :identifier identifier)
        (cons :mode-line-name mode-line-name)
        (cons :buffer-name buffer-name)
        (cons :shell-prompt shell-prompt)
        (cons :shell-prompt-regexp shell-prompt-regexp)
        (cons :client-maker client-maker)))

(cl-defun agent-shell-start (&key config)
  "Record that CONFIG was started."
  (setq agent-shell-started config))

(provide 'agent-shell)

;;; agent-shell.el ends here
