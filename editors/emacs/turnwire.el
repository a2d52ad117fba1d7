;;; turnwire.el --- Any agent in agent-shell, by way of Turnwire  -*- lexical-binding: t; -*-

;; Author: The Turnwire authors
;; URL: https://github.com/turnwire/turnwire
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (agent-shell "0.48.1") (acp "0.11.1"))
;; Keywords: tools, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Turnwire is a program that makes any agent an agent of editors: one of
;; Ethos, Agentao, Awaken, Glue or AgentB, one that speaks the Agent Client
;; Protocol, or a script that prints JSON lines.  This package lets
;; `agent-shell' start it.
;;
;; M-x turnwire starts a shell with one of `turnwire-agents'.  With
;; `turnwire-setup' in the init file, M-x agent-shell offers them too:
;;
;;   (setq turnwire-agents '(("Turnwire")
;;                           ("Ethos" "--agent" "ethos")
;;                           ("Echo" "--" "python3" "/path/to/echo.py")))
;;   (with-eval-after-load 'agent-shell (turnwire-setup))

;;; Code:

(require 'acp)
(require 'agent-shell)
(require 'seq)

(defgroup turnwire nil
  "Any agent in `agent-shell'."
  :group 'agent-shell
  :prefix "turnwire-")

(defcustom turnwire-command "turnwire"
  "The program turnwire: a name that is in variable `exec-path', or a path."
  :type 'string
  :risky t)

(defcustom turnwire-agents '(("Turnwire"))
  "The agents that Turnwire can start.
Each is a list of a name and what stands behind \"turnwire acp\" on the
command line: \"--agent\" and the name of an agent that Turnwire knows
\(\"turnwire agents\" lists them), or \"--\" and a command of your own.
With neither it is the workspace agent, which needs no model."
  :type '(alist :key-type (string :tag "Name")
                :value-type (repeat :tag "Arguments" string))
  :risky t)

(defcustom turnwire-environment nil
  "What the program gets in its environment besides that of Emacs.
Each element is a string \"NAME=VALUE\"."
  :type '(repeat string)
  :risky t)

(defun turnwire--program ()
  "The path of `turnwire-command', or nil where there is no such program.
A folder of variable `exec-path' that is not absolute would be one of the
project: whoever wrote that would choose what is run."
  (if (file-name-directory turnwire-command)
      turnwire-command
    (let ((exec-path (seq-filter (lambda (folder)
                                   (and folder (file-name-absolute-p folder)))
                                 exec-path)))
      (executable-find turnwire-command))))

(defun turnwire--missing ()
  "Say that there is no program."
  (user-error "There is no program %s: install it, or set `turnwire-command'"
              turnwire-command))

(defun turnwire--client (args buffer)
  "Make the client that speaks with \"turnwire acp ARGS…\" for BUFFER."
  (acp-make-client :command (or (turnwire--program) (turnwire--missing))
                   :command-params (cons "acp" args)
                   :environment-variables turnwire-environment
                   :context-buffer buffer))

(defun turnwire--identifier (name)
  "The symbol by which `agent-shell' knows the agent called NAME."
  (let ((slug (replace-regexp-in-string "[^[:alnum:]]+" "-" (downcase name))))
    (if (equal slug "turnwire")
        'turnwire
      (intern (concat "turnwire-" (string-trim slug "-" "-"))))))

(defun turnwire-agent-config (agent)
  "What `agent-shell' has to know of AGENT, an element of `turnwire-agents'."
  (let* ((name (car agent))
         (prompt (concat name "> ")))
    (agent-shell-make-agent-config
     :identifier (turnwire--identifier name)
     :mode-line-name name
     :buffer-name name
     :shell-prompt prompt
     :shell-prompt-regexp (regexp-quote prompt)
     :client-maker (apply-partially #'turnwire--client (cdr agent)))))

(defun turnwire--read-agent ()
  "Ask for one of `turnwire-agents', unless there is but one."
  (cond
   ((null turnwire-agents)
    (user-error "There is no agent in `turnwire-agents'"))
   ((null (cdr turnwire-agents))
    (car turnwire-agents))
   (t
    (let ((completion-ignore-case t))
      (assoc (completing-read "Agent: " turnwire-agents nil t nil nil
                              (caar turnwire-agents))
             turnwire-agents)))))

;;;###autoload
(defun turnwire (agent)
  "Start a shell with AGENT, an element of `turnwire-agents'."
  (interactive (list (turnwire--read-agent)))
  (unless (executable-find (or (turnwire--program) (turnwire--missing)))
    (turnwire--missing))
  (agent-shell-start :config (turnwire-agent-config agent)))

(defun turnwire--add (configs)
  "CONFIGS, behind them those of `turnwire-agents' that they lack."
  (append configs
          (seq-remove
           (lambda (ours)
             (seq-some (lambda (theirs)
                         ;; An entry may also be a function that makes one.
                         (and (consp theirs)
                              (not (functionp theirs))
                              (eq (alist-get :identifier theirs)
                                  (alist-get :identifier ours))))
                       configs))
           (mapcar #'turnwire-agent-config turnwire-agents))))

;;;###autoload
(defun turnwire-setup ()
  "Let `agent-shell' offer `turnwire-agents'.
To do so once more, after they have changed, adds what is new."
  (interactive)
  (if (functionp agent-shell-agent-configs)
      ;; Added twice it is there once.
      (add-function :filter-return (var agent-shell-agent-configs) #'turnwire--add)
    (setq agent-shell-agent-configs (turnwire--add agent-shell-agent-configs))))

(provide 'turnwire)

;;; turnwire.el ends here
