;;; turnwire.el --- Any agent in agent-shell, through Turnwire  -*- lexical-binding: t; -*-

;; Author: The Turnwire authors
;; URL: https://github.com/turnwire/turnwire
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (agent-shell "0.48.1") (acp "0.11.1"))
;; Keywords: tools, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Turnwire is a program that connects agents to editors: Ethos, Agentao,
;; Awaken, Glue, AgentB, any agent that speaks the Agent Client Protocol, or your
;; own script that prints JSON lines.  This package adds them to `agent-shell'.
;;
;; M-x turnwire starts a shell with one of `turnwire-agents'.  With
;; `turnwire-setup' in the init file, M-x agent-shell offers them too:
;;
;;   (setq turnwire-agents '(("Turnwire")
;;                           ("Ethos" "--agent" "ethos")
;;                           ("Echo" "--" "python3" "/path/to/echo.py")))
;;   (with-eval-after-load 'agent-shell (turnwire-setup))
;;
;; M-x turnwire-login logs in to an agent, and M-x turnwire-logout logs out.

;;; Code:

(require 'seq)

;; A plain `require' would not say what to install.
(dolist (package '(acp agent-shell))
  (unless (require package nil t)
    (user-error "Turnwire needs the package %s, which was not found.  \
Install agent-shell from MELPA, which needs Emacs 29.1 and brings acp: \
M-x package-install RET agent-shell RET" package)))

(declare-function acp-make-client "acp" t t)
(declare-function agent-shell-make-agent-config "agent-shell" t t)
(declare-function agent-shell-start "agent-shell" t t)
(defvar agent-shell-agent-configs)

(defgroup turnwire nil
  "Chat with any agent in `agent-shell', through Turnwire."
  :group 'agent-shell
  :prefix "turnwire-")

(defcustom turnwire-command "turnwire"
  "The Turnwire program: a path, or a name in the variable `exec-path'."
  :type 'string
  :risky t)

(defcustom turnwire-agents '(("Turnwire"))
  "The agents that Turnwire can start.
Each element is a list of a name and the arguments for \"turnwire acp\":
\"--agent\" and a name from \"turnwire agents\", or \"--\" and your own
command.  Without arguments, Turnwire starts the built-in workspace
agent, which needs no model."
  :type '(alist :key-type (string :tag "Name")
                :value-type (repeat :tag "Arguments" string))
  :risky t)

(defcustom turnwire-environment nil
  "Additional environment variables for Turnwire and its agents.
Each element is a string \"NAME=VALUE\"."
  :type '(repeat string)
  :risky t)

(defun turnwire--program ()
  "Return the path of `turnwire-command', or nil if it is not found.
Ignore relative folders in variable `exec-path': they are inside the
project, whose author could then choose what runs."
  (if (file-name-directory turnwire-command)
      turnwire-command
    (let ((exec-path (seq-filter (lambda (folder)
                                   (and folder (file-name-absolute-p folder)))
                                 exec-path)))
      (executable-find turnwire-command))))

(defun turnwire--missing ()
  "Signal that the program was not found."
  (user-error "Program not found: %s; install Turnwire or set `turnwire-command'"
              turnwire-command))

(defun turnwire--client (agent buffer)
  "Make a client that connects AGENT to BUFFER."
  (turnwire--offering-login
   (acp-make-client :command (or (turnwire--program) (turnwire--missing))
                    :command-params (cons "acp" (cdr agent))
                    :environment-variables turnwire-environment
                    :context-buffer buffer)
   agent))

(defun turnwire--identifier (name)
  "Return the symbol that identifies the agent NAME in `agent-shell'."
  (let ((slug (replace-regexp-in-string "[^[:alnum:]]+" "-" (downcase name))))
    (if (equal slug "turnwire")
        'turnwire
      (intern (concat "turnwire-" (string-trim slug "-" "-"))))))

(defun turnwire-agent-config (agent)
  "Return the configuration of AGENT, an element of `turnwire-agents'."
  (let* ((name (car agent))
         (prompt (concat name "> ")))
    (agent-shell-make-agent-config
     :identifier (turnwire--identifier name)
     :mode-line-name name
     :buffer-name name
     :shell-prompt prompt
     :shell-prompt-regexp (regexp-quote prompt)
     :client-maker (apply-partially #'turnwire--client agent))))

(defun turnwire--list-agents ()
  "Return the parsed output of \"turnwire agents --all\", or nil if it is unusable."
  (let ((program (turnwire--program)))
    (when program
      (ignore-errors
        (with-temp-buffer
          (call-process program nil '(t nil) nil "agents" "--all" "--json")
          (goto-char (point-min))
          (json-parse-buffer :object-type 'alist :array-type 'list))))))

(defun turnwire--known-agents ()
  "Return the agents that Turnwire knows by name.
They have the form of `turnwire-agents', and are not in it.  Those that
must be added from the ACP registry first have the marker :add."
  (let ((ours (mapcar (lambda (agent) (cadr (member "--agent" agent)))
                      turnwire-agents))
        (titles (mapcar #'car turnwire-agents)))
    (delq nil
          (mapcar
           (lambda (agent)
             (let* ((name (alist-get 'name agent))
                    (title (alist-get 'title agent))
                    (label (if (member title '(nil "")) name title)))
               (and (not (equal name "workspace"))
                    (not (member name ours))
                    (not (member label titles))
                    (cond
                     ((eq t (alist-get 'reachable agent))
                      (list label "--agent" name))
                     ((eq t (alist-get 'addable agent))
                      (list (concat label " (not installed)") :add label name))))))
           (turnwire--list-agents)))))

(defun turnwire--run (&rest args)
  "Run Turnwire with ARGS, and return its output.  Signal an error if it fails."
  (with-temp-buffer
    (if (eql 0 (apply #'call-process (turnwire--program) nil t nil args))
        (string-trim (buffer-string))
      (user-error "%s" (string-trim (buffer-string))))))

(defun turnwire--agree (question)
  "Ask QUESTION, and return non-nil if the user agrees."
  (yes-or-no-p question))

(defun turnwire--add-known (label name)
  "Add the agent NAME, shown as LABEL, from the ACP registry, if the user agrees.
Return it in the form of `turnwire-agents'."
  (let ((about (turnwire--run "agents" "add" name "--print")))
    (with-temp-buffer-window "*Turnwire agent*" nil nil (princ about))
    (unless (turnwire--agree (format "Add %s? " label))
      (user-error "%s was not added" label))
    (turnwire--run "agents" "add" name "--yes")
    (list label "--agent" name)))

(defun turnwire--read-agent (&optional ask)
  "Ask for one of `turnwire-agents' or an agent that Turnwire knows.
If only one is installed, return it, unless ASK is non-nil.  One that is not
installed is added first."
  (let* ((known (turnwire--known-agents))
         (missing (seq-filter (lambda (agent) (eq :add (cadr agent))) known))
         (agents (append turnwire-agents (seq-difference known missing)))
         (agent
          (cond
           ((and (null agents) (not ask))
            (user-error "No agents in `turnwire-agents'"))
           ((and (null (cdr agents)) (not ask))
            (car agents))
           (t
            (let ((completion-ignore-case t)
                  (all (append agents missing)))
              (assoc (completing-read "Agent: " all nil t nil nil (caar all))
                     all))))))
    (if (eq :add (cadr agent))
        (apply #'turnwire--add-known (cddr agent))
      agent)))

;;;###autoload
(defun turnwire (agent)
  "Start a shell with AGENT, which has the form of an element of `turnwire-agents'.
Interactively, offer those and the agents that Turnwire knows, such as
Claude Code.  One that is not installed is added from the ACP registry if you
agree.  With a prefix argument, ask even if only one agent is installed."
  (interactive (list (turnwire--read-agent current-prefix-arg)))
  (unless (executable-find (or (turnwire--program) (turnwire--missing)))
    (turnwire--missing))
  (agent-shell-start :config (turnwire-agent-config agent)))

(defun turnwire--add (configs)
  "Return CONFIGS with the missing agents of `turnwire-agents' appended."
  (append configs
          (seq-remove
           (lambda (ours)
             (seq-some (lambda (theirs)
                         ;; An entry may also be a function that returns a
                         ;; configuration.
                         (and (consp theirs)
                              (not (functionp theirs))
                              (eq (alist-get :identifier theirs)
                                  (alist-get :identifier ours))))
                       configs))
           (mapcar #'turnwire-agent-config turnwire-agents))))

;;;###autoload
(defun turnwire-setup ()
  "Add `turnwire-agents' to the agents of `agent-shell'.
Call it again to add new agents."
  (interactive)
  (if (functionp agent-shell-agent-configs)
      ;; Adding the same function twice has no effect.
      (add-function :filter-return (var agent-shell-agent-configs) #'turnwire--add)
    (setq agent-shell-agent-configs (turnwire--add agent-shell-agent-configs))))

;;; Logins

(declare-function term-mode "term")
(declare-function term-char-mode "term")

(defun turnwire--talk (process method params)
  "Send PROCESS a request for METHOD with PARAMS, and return the result.
Signal an error if the response is an error."
  (let* ((id (1+ (or (process-get process 'turnwire-id) 0)))
         (request (json-serialize
                   `((jsonrpc . "2.0") (id . ,id) (method . ,method) (params . ,params))))
         answer)
    (process-put process 'turnwire-id id)
    (ignore-errors ; if it has exited, the loop below says so
      (process-send-string process (concat request "\n")))
    (while (not answer)
      (let ((line (turnwire--line process)))
        (unless line
          (user-error "%s" (turnwire--stopped process)))
        (let ((message (ignore-errors (json-parse-string line :object-type 'alist :array-type 'list))))
          (when (and (consp message) (equal (alist-get 'id message) id) (not (assq 'method message)))
            (setq answer message)))))
    (let-alist answer
      (when .error
        (user-error "%s: %s" method
                    (or (ignore-errors (let-alist .error .data.details)) (alist-get 'message .error))))
      .result)))

(defun turnwire--stopped (process)
  "Describe the exit of PROCESS, with the last lines of its stderr."
  (let ((errors (process-get process 'turnwire-errors)))
    (dotimes (_ 10) ; a program that the agent started may hold stderr open
      (when (process-live-p (get-buffer-process errors))
        (accept-process-output (get-buffer-process errors) 0.1)))
    (mapconcat #'identity
               (cons (format "The agent stopped (%s %d)."
                             (if (eq (process-status process) 'signal) "signal:" "exit status")
                             (process-exit-status process))
                     (last (with-current-buffer errors (split-string (buffer-string) "\n" t)) 5))
               "\n")))

(defun turnwire--errors ()
  "Return a process that collects an agent's stderr in its empty buffer."
  (let ((buffer (get-buffer-create " *turnwire-login errors*")))
    (with-current-buffer buffer (erase-buffer))
    (make-pipe-process :name "turnwire-login errors" :buffer buffer :noquery t
                       :coding 'utf-8-unix :sentinel #'ignore)))

(defun turnwire--line (process)
  "Return the next line of PROCESS, or nil at EOF."
  (let (end)
    (while (and (not (setq end (string-search "\n" (or (process-get process 'turnwire-text) ""))))
                (or (accept-process-output process 0.1) (process-live-p process))))
    (when end
      (let ((text (process-get process 'turnwire-text)))
        (process-put process 'turnwire-text (substring text (1+ end)))
        (substring text 0 end)))))

(defun turnwire--with-agent (agent use)
  "Start AGENT, call USE with its process and initialize result, and stop it."
  (let* ((process-environment (append turnwire-environment process-environment))
         (program (or (turnwire--program) (turnwire--missing)))
         (errors (turnwire--errors))
         (process (make-process
                   :name "turnwire-login" :connection-type 'pipe :noquery t :coding 'utf-8-unix
                   :command `(,program "acp" ,@(cdr agent))
                   :stderr errors
                   :filter (lambda (process text)
                             (process-put process 'turnwire-text
                                          (concat (process-get process 'turnwire-text) text))))))
    (process-put process 'turnwire-errors (process-buffer errors))
    (unwind-protect
        (funcall use process
                 (turnwire--talk process "initialize"
                                 '((protocolVersion . 1)
                                   (clientInfo (name . "turnwire.el") (version . "0.1.0"))
                                   (clientCapabilities (auth (terminal . t)) (_meta (terminal-auth . t))))))
      (delete-process process))))

(defun turnwire--list (value)
  "Return VALUE if it is a list, else nil: agents may send anything."
  (and (listp value) value))

(defun turnwire--method-p (method)
  "Return non-nil if METHOD is a supported login method.
Ignore Turnwire's placeholder, which means that no login is needed."
  (and (consp method)
       (consp (car method))
       (stringp (alist-get 'id method))
       (not (eq t (alist-get 'turnwire.dev/no-login (turnwire--list (alist-get '_meta method)))))
       (member (alist-get 'type method) '(nil :null "agent" "env_var" "terminal"))))

(defun turnwire--login-command (method agent)
  "Return METHOD's environment and command for a terminal, or nil.
The command is AGENT's own with additional arguments.  Before the
protocol supported that, agents named a separate command."
  (let-alist method
    (let ((own (turnwire--list (alist-get 'terminal-auth (turnwire--list ._meta)))))
      (cond
       ((equal .type "terminal")
        (cons (turnwire--environment .env)
              `(,(or (turnwire--program) (turnwire--missing)) "acp" ,@(cdr agent)
                ,@(seq-filter #'stringp (turnwire--list .args)))))
       ((stringp (alist-get 'command own))
        (cons (turnwire--environment (alist-get 'env own))
              (cons (alist-get 'command own)
                    (seq-filter #'stringp (turnwire--list (alist-get 'args own))))))))))

(defun turnwire--environment (variables)
  "Convert VARIABLES, an alist, to elements of `process-environment'."
  (mapcar (lambda (variable) (format "%s=%s" (car variable) (cdr variable)))
          (seq-filter (lambda (variable) (and (consp variable) (stringp (cdr variable))))
                      (turnwire--list variables))))

(defun turnwire--variables (method)
  "Return the names of the variables that METHOD needs, as text."
  (mapconcat (lambda (variable) (format "%s" (alist-get 'name variable)))
             (seq-filter #'consp (turnwire--list (alist-get 'vars method)))
             ", "))

(defun turnwire--read-method (methods agent)
  "Let the user choose one of METHODS of AGENT, and show what each does."
  (let* ((choices (mapcar (lambda (method) (cons (or (alist-get 'name method) (alist-get 'id method)) method))
                          methods))
         (completion-extra-properties
          `(:annotation-function
            ,(lambda (name)
               (let* ((method (cdr (assoc name choices)))
                      (command (turnwire--login-command method agent)))
                 (cond
                  (command (concat "  in a terminal: " (mapconcat #'identity (append (car command) (cdr command)) " ")))
                  ((equal (alist-get 'type method) "env_var") (concat "  needs " (turnwire--variables method)))
                  (t (concat "  " (alist-get 'description method)))))))))
    (cdr (assoc (completing-read "Log in: " choices nil t) choices))))

(defun turnwire--login-in-terminal (name command)
  "Run COMMAND, an environment and arguments, in a terminal called NAME."
  (require 'term)
  (let* ((process-environment (append (car command) turnwire-environment process-environment))
         (buffer (apply #'make-term (concat "turnwire: " name) (cadr command) nil (cddr command)))
         (process (get-buffer-process buffer)))
    (with-current-buffer buffer
      (term-mode)
      (term-char-mode))
    (add-function :after (process-sentinel process)
                  (lambda (process _event)
                    (unless (process-live-p process)
                      (turnwire--logged-in (zerop (process-exit-status process))))))
    (pop-to-buffer buffer)))

(defun turnwire--logged-in (done)
  "Report whether the login succeeded, according to DONE."
  (message (if done
               "Logged in; restart the shell"
             "The login failed")))

;;;###autoload
(defun turnwire-login (agent)
  "Log in to AGENT, an element of `turnwire-agents'.
Offer the agent's login methods.  After the login, restart the shell
that needed it."
  (interactive (list (turnwire--read-agent)))
  (turnwire--with-agent
   agent
   (lambda (process greeting)
     (let ((methods (seq-filter #'turnwire--method-p (turnwire--list (alist-get 'authMethods greeting)))))
       (unless methods
         (user-error "%s offers no login method" (car agent)))
       (let* ((method (turnwire--read-method methods agent))
              (command (turnwire--login-command method agent)))
         (cond
          (command
           (turnwire--login-in-terminal (car agent) command))
          ((equal (alist-get 'type method) "env_var")
           (user-error "Set %s in `turnwire-environment' and restart the shell"
                       (turnwire--variables method)))
          (t
           (message "%s is handling the login; C-g stops it" (car agent))
           (turnwire--talk process "authenticate" `((methodId . ,(alist-get 'id method))))
           (turnwire--logged-in t))))))))

(defconst turnwire--wants-login -32000
  "The error code that means that a login is required.")

(defvar turnwire--offered nil
  "The agents whose login is being offered.")

(defun turnwire--offering-login (client agent)
  "Make CLIENT offer a login if AGENT needs one, and return it."
  (let ((send (alist-get :request-sender client)))
    (when send
      (setf (alist-get :request-sender client)
            (lambda (&rest request)
              (let ((failed (plist-get request :on-failure)))
                (apply send
                       (if failed
                           (plist-put (copy-sequence request) :on-failure
                                      (turnwire--offering-after failed agent))
                         request)))))))
  client)

(defun turnwire--offering-after (failed agent)
  "Return an error handler: call FAILED, then maybe offer a login.
The login is offered if the error says that AGENT requires one."
  (let ((most (cdr (func-arity failed))))
    (lambda (failure &optional message)
      (if (or (not (integerp most)) (>= most 2))
          (funcall failed failure message)
        (funcall failed failure))
      (when (and (eql (alist-get 'code failure) turnwire--wants-login)
                 (not (member agent turnwire--offered)))
        (push agent turnwire--offered)
        ;; Don't prompt inside a process filter.
        (run-at-time 0 nil #'turnwire--offer-login agent)))))

(defun turnwire--offer-login (agent)
  "Ask whether to log in to AGENT, and log in."
  (unwind-protect
      (when (y-or-n-p (format "%s requires a login.  Log in now? " (car agent)))
        (condition-case failure
            (turnwire-login agent)
          (user-error (message "%s" (error-message-string failure)))))
    (setq turnwire--offered (remove agent turnwire--offered))))

;;;###autoload
(defun turnwire-logout (agent)
  "Log out of AGENT, an element of `turnwire-agents'."
  (interactive (list (turnwire--read-agent)))
  (turnwire--with-agent
   agent
   (lambda (process greeting)
     (unless (let-alist greeting (assq 'logout .agentCapabilities.auth))
       (user-error "%s does not support logging out" (car agent)))
     (turnwire--talk process "logout" (make-hash-table))
     (message "Logged out of %s" (car agent)))))

(provide 'turnwire)

;;; turnwire.el ends here
