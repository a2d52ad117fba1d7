;;; turnwire-test.el --- Tests of turnwire.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run by test/run, which sets TURNWIRE to the real binary.  Stubs replace acp
;; and agent-shell, which need a later Emacs than many systems have; everything
;; between the stubs and the binary is real.

;;; Code:

(require 'ert)
(require 'turnwire)

(defvar agent-shell-started)

(defconst turnwire-test-initialize
  "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}")

(defconst turnwire-test-new-session
  (concat "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"session/new\",\"params\":{\"mcpServers\":[],\"cwd\":"
          (json-serialize (directory-file-name (expand-file-name temporary-file-directory)))
          "}}"))

(defun turnwire-test-prompt (text)
  "Return a request with the prompt TEXT."
  (concat "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"SESSION\","
          "\"prompt\":[{\"type\":\"text\",\"text\":\"" text "\"}]}}"))

(defmacro turnwire-test-with (agents configs &rest body)
  "Run BODY with Turnwire's AGENTS and the CONFIGS of `agent-shell'."
  (declare (indent 2))
  `(let ((turnwire-command (getenv "TURNWIRE"))
         (turnwire-agents ,agents)
         (agent-shell-agent-configs ,configs)
         (agent-shell-started nil))
     ,@body))

(defmacro turnwire-test-with-installed (names &rest body)
  "Run BODY with programs called NAMES, and no others, in PATH."
  (declare (indent 1))
  `(let* ((folder (make-temp-file "turnwire-test" t))
          (process-environment (append (list (concat "PATH=" folder)
                                             (concat "XDG_CONFIG_HOME=" folder))
                                       process-environment)))
     (unwind-protect
         (progn
           (dolist (name ,names)
             (let ((file (expand-file-name name folder)))
               (write-region "#!/bin/sh\n" nil file nil 'silent)
               (set-file-modes file #o755)))
           ,@body)
       (delete-directory folder t))))

(defun turnwire-test-client (config)
  "Return the client of CONFIG."
  (funcall (alist-get :client-maker config) (current-buffer)))

(defun turnwire-test-identifiers ()
  "Return the identifiers of all agents that `agent-shell' knows."
  (mapcar (lambda (entry)
            (alist-get :identifier (if (functionp entry) (funcall entry) entry)))
          (if (functionp agent-shell-agent-configs)
              (funcall agent-shell-agent-configs)
            agent-shell-agent-configs)))

(defun turnwire-test-talk (client requests)
  "Send REQUESTS to the program of CLIENT, each after the previous response.
Requests get the ids 1, 2 and so on.  SESSION in a request is replaced by the
session id from an earlier response.  Return the list of all messages."
  (let* ((lines "")
         (process-environment (append (alist-get :environment-variables client) process-environment))
         (process (make-process :name "turnwire" :connection-type 'pipe :noquery t :coding 'utf-8-unix
                                :command (cons (alist-get :command client) (alist-get :command-params client))
                                :filter (lambda (_process text) (setq lines (concat lines text)))))
         (id 0)
         (session "")
         messages)
    (unwind-protect
        (dolist (request requests messages)
          (setq id (1+ id))
          (process-send-string
           process (concat (string-replace "SESSION" session (format request id)) "\n"))
          (let (answer)
            (while (not answer)
              (while (not (string-match "\n" lines))
                (unless (accept-process-output process 60)
                  (error "The program says no more, after %S" messages)))
              (let ((message (json-parse-string (substring lines 0 (match-beginning 0)) :object-type 'alist)))
                (setq lines (substring lines (match-end 0))
                      messages (append messages (list message)))
                (when (equal (alist-get 'id message) id)
                  (setq answer message
                        session (or (alist-get 'sessionId (alist-get 'result message)) session)))))))
      (delete-process process))))

(defun turnwire-test-text (message)
  "Return the text of MESSAGE, if it is the agent's."
  (let ((update (alist-get 'update (alist-get 'params message))))
    (if (equal "agent_message_chunk" (alist-get 'sessionUpdate update))
        (alist-get 'text (alist-get 'content update))
      "")))

(ert-deftest turnwire-test-a-turn-with-the-real-program ()
  (turnwire-test-with '(("Turnwire")) nil
    (turnwire '("Turnwire"))
    (let* ((messages
            (turnwire-test-talk
             (turnwire-test-client agent-shell-started)
             (list turnwire-test-initialize
                   turnwire-test-new-session
                   (turnwire-test-prompt "/say Grüße aus Emacs"))))
           (result (alist-get 'result (car (last messages)))))
      (should (equal "end_turn" (alist-get 'stopReason result)))
      (should (string-search "Grüße aus Emacs" (mapconcat #'turnwire-test-text messages ""))))))

(ert-deftest turnwire-test-the-program-starts-a-custom-agent ()
  (turnwire-test-with '(("Echo" "--" "no-such-command-anywhere")) nil
    (turnwire (car turnwire-agents))
    (let ((messages (turnwire-test-talk
                     (turnwire-test-client agent-shell-started)
                     (list turnwire-test-initialize turnwire-test-new-session))))
      (should (string-search "no-such-command-anywhere" (format "%s" (alist-get 'error (car (last messages)))))))))

(ert-deftest turnwire-test-settings-apply-when-a-shell-starts ()
  (turnwire-test-with '(("Turnwire")) nil
    (let ((config (turnwire-agent-config '("Ethos" "--agent" "ethos")))
          (turnwire-command "/elsewhere/turnwire")
          (turnwire-environment '("A=1")))
      (should (equal `((:context-buffer . ,(current-buffer))
                       (:command . "/elsewhere/turnwire")
                       (:command-params "acp" "--agent" "ethos")
                       (:environment-variables "A=1"))
                     (assq-delete-all :request-sender (turnwire-test-client config)))))))

(ert-deftest turnwire-test-a-program-in-the-project-does-not-replace-one-in-path ()
  (let* ((default-directory (file-name-as-directory (make-temp-file "turnwire-test" t)))
         (trap (expand-file-name "trap")))
    (unwind-protect
        (progn
          (write-region "#!/bin/sh\n" nil trap)
          (set-file-modes trap #o700)
          (turnwire-test-with '(("Turnwire")) nil
            (let* ((turnwire-command "trap")
                   (config (turnwire-agent-config '("Turnwire"))))
              (let ((exec-path (append '("." nil "") exec-path)))
                (should-error (turnwire '("Turnwire")) :type 'user-error)
                (should-error (turnwire-test-client config) :type 'user-error))
              (let ((exec-path (list default-directory)))
                (should (equal trap (alist-get :command (turnwire-test-client config))))))))
      (delete-directory default-directory t))))

(ert-deftest turnwire-test-each-agent-has-a-name-of-its-own ()
  (let ((config (turnwire-agent-config '("My Agent (2)" "--agent" "mine"))))
    (should (eq 'turnwire-my-agent-2 (alist-get :identifier config)))
    (should (equal "My Agent (2)" (alist-get :buffer-name config)))
    (should (string-match-p (concat "\\`" (alist-get :shell-prompt-regexp config) "\\'")
                            (alist-get :shell-prompt config))))
  (should (eq 'turnwire (alist-get :identifier (turnwire-agent-config '("Turnwire"))))))

(ert-deftest turnwire-test-one-agent-needs-no-choice ()
  (turnwire-test-with '(("Turnwire")) nil
    (turnwire-test-with-installed nil
      (call-interactively #'turnwire))
    (should (eq 'turnwire (alist-get :identifier agent-shell-started)))))

(ert-deftest turnwire-test-one-of-many-is-chosen-by-name ()
  (turnwire-test-with '(("Turnwire") ("Ethos" "--agent" "ethos")) nil
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt agents &rest _) (car (nth 1 agents)))))
      (turnwire-test-with-installed nil
        (call-interactively #'turnwire)))
    (should (eq 'turnwire-ethos (alist-get :identifier agent-shell-started)))))

(ert-deftest turnwire-test-missing-requirements-are-reported ()
  (turnwire-test-with nil nil
    (turnwire-test-with-installed nil
      (should-error (call-interactively #'turnwire) :type 'user-error)))
  (turnwire-test-with '(("Turnwire")) nil
    (let ((turnwire-command "no-such-turnwire"))
      (should (string-search "no-such-turnwire"
                             (cadr (should-error (turnwire '("Turnwire")) :type 'user-error)))))
    (should-not agent-shell-started)))

(ert-deftest turnwire-test-agent-shell-offers-the-agents-once ()
  (dolist (others (list nil
                        (list '((:identifier . other)))
                        ;; Later versions have functions here.
                        (list (lambda () '((:identifier . other))))
                        (lambda () (list (lambda () '((:identifier . other)))))))
    (turnwire-test-with '(("Turnwire")) others
      (let ((before (turnwire-test-identifiers)))
        (turnwire-setup)
        (turnwire-setup)
        (should (equal (append before '(turnwire)) (turnwire-test-identifiers)))
        (setq turnwire-agents '(("Turnwire") ("Ethos" "--agent" "ethos")))
        (turnwire-setup)
        (should (equal (append before '(turnwire turnwire-ethos)) (turnwire-test-identifiers)))))))

(ert-deftest turnwire-test-installed-agents-are-offered-by-their-names ()
  (turnwire-test-with '(("Turnwire")) nil
    (turnwire-test-with-installed '("claude-agent-acp" "gemini")
      (let (offered)
        (cl-letf (((symbol-function 'completing-read)
                   (lambda (_prompt choices &rest _)
                     (setq offered (mapcar #'car choices))
                     "Gemini CLI")))
          (should (equal '("Gemini CLI" "--agent" "gemini") (turnwire--read-agent)))
          (should (equal '("Turnwire" "Claude Code" "Gemini CLI") (seq-take offered 3)))
          (should (member "Codex (not installed)" offered)))))))

(ert-deftest turnwire-test-a-missing-agent-is-added-after-a-yes ()
  (turnwire-test-with '(("Turnwire")) nil
    (turnwire-test-with-installed nil
      (let (ran)
        (cl-letf (((symbol-function 'completing-read)
                   (lambda (_prompt _choices &rest _) "Codex (not installed)"))
                  ((symbol-function 'turnwire--run)
                   (lambda (&rest args) (push args ran) "codex-acp 1.0"))
                  ((symbol-function 'turnwire--agree) (lambda (_) (equal 1 (length ran)))))
          (should (equal '("Codex" "--agent" "codex") (turnwire--read-agent t)))
          (should (equal '(("agents" "add" "codex" "--yes") ("agents" "add" "codex" "--print")) ran))
          (setq ran '(("an earlier call")))
          (should-error (turnwire--read-agent t) :type 'user-error)
          (should (equal '(("agents" "add" "codex" "--print") ("an earlier call")) ran)))))))

(ert-deftest turnwire-test-an-agent-of-the-user-is-not-offered-twice ()
  (turnwire-test-with '(("Mine" "--agent" "gemini")) nil
    (turnwire-test-with-installed '("gemini")
      (should (equal '("Mine" "--agent" "gemini") (turnwire--read-agent))))))

(defmacro turnwire-test-with-login (choice &rest body)
  "Run BODY with an agent `tea' that needs a login; CHOICE is the chosen method.
FILE exists while somebody is logged in."
  (declare (indent 1))
  `(let* ((folder (make-temp-file "turnwire-test" t))
          (file (expand-file-name "logged-in" folder))
          (tea (list "Tea" "--agent" "acp" "--" "sh" (getenv "TURNWIRE_LOGIN") file "new"))
          (turnwire-command (getenv "TURNWIRE"))
          annotations)
     (ignore annotations)
     (unwind-protect
         (cl-letf (((symbol-function 'completing-read)
                    (lambda (_prompt choices &rest _)
                      (let ((annotate (plist-get completion-extra-properties :annotation-function)))
                        (setq annotations (mapcar (lambda (name) (concat name (funcall annotate name)))
                                                  (mapcar #'car choices))))
                      ,choice)))
           ,@body)
       (delete-directory folder t))))

(ert-deftest turnwire-test-a-login-that-the-agent-handles ()
  (turnwire-test-with-login "With the browser"
    (turnwire-login tea)
    (should (file-exists-p file))
    ;; Turnwire's placeholder, the agent's first method, is not offered.
    (should (equal "With the browser  Opens a page." (car annotations)))
    (should (member "With a key  needs TEA_KEY, TEA_HOST" annotations))
    (should (seq-some (lambda (line) (string-match-p "In a terminal  in a terminal: LOGIN_AS=me .*turnwire acp --agent acp -- sh .* login 0\\'" line))
                      annotations))
    (turnwire-logout tea)
    (should-not (file-exists-p file))))

(ert-deftest turnwire-test-a-login-in-a-terminal ()
  (turnwire-test-with-login "In a terminal"
    (turnwire-login tea)
    (let ((process (get-buffer-process "*turnwire: Tea*")))
      (while (accept-process-output process 60)))
    (kill-buffer "*turnwire: Tea*")
    (should (equal "me " (with-temp-buffer
                           (insert-file-contents file)
                           (buffer-substring 1 4))))))

(ert-deftest turnwire-test-a-failed-login-is-an-error ()
  (dolist (try '(("Broken" . "it does not work") ("With a key" . "TEA_KEY, TEA_HOST")))
    (turnwire-test-with-login (car try)
      (should (string-search (cdr try) (cadr (should-error (turnwire-login tea) :type 'user-error))))
      (should-not (file-exists-p file)))))

(ert-deftest turnwire-test-an-agent-that-stops-says-why ()
  (let ((turnwire-command (make-temp-file "turnwire-test" nil nil "#!/bin/sh\necho out of memory >&2\nexit 3\n")))
    (set-file-modes turnwire-command #o700)
    (unwind-protect
        (should (equal "The agent stopped (exit status 3).\nout of memory"
                       (cadr (should-error (turnwire-login '("Tea")) :type 'user-error))))
      (delete-file turnwire-command))))

(defvar acp-stub-sent)

(defun turnwire-test-fail (agent failure)
  "Make the request for a session of AGENT fail with FAILURE.
Return the failures that the sender received."
  (let ((client (turnwire-test-client (turnwire-agent-config agent)))
        told)
    (funcall (alist-get :request-sender client) :client client :request '((:method . "session/new"))
             :on-success #'ignore :on-failure (lambda (said) (push said told)))
    (should (eq #'ignore (plist-get acp-stub-sent :on-success)))
    (funcall (plist-get acp-stub-sent :on-failure) failure '((:json . "")))
    told))

(ert-deftest turnwire-test-a-login-is-offered ()
  (turnwire-test-with-login "With the browser"
    (let* ((said (turnwire-test-talk (turnwire-test-client (turnwire-agent-config tea))
                                     (list turnwire-test-initialize turnwire-test-new-session)))
           (failure (seq-some (lambda (message) (alist-get 'error message)) said))
           asked
           (answer nil))
      (should (eql -32000 (alist-get 'code failure)))
      (cl-letf (((symbol-function 'y-or-n-p)
                 (lambda (question) (push question asked) answer)))
        ;; Other errors don't offer a login.
        (should (equal '(((code . -32603))) (turnwire-test-fail tea '((code . -32603)))))
        (accept-process-output nil 0.01)
        (should-not asked)
        ;; The login is offered only once at a time, and outside the handler.
        (should (equal (list failure) (turnwire-test-fail tea failure)))
        (should (equal (list failure) (turnwire-test-fail tea failure)))
        (should-not asked)
        (while (not asked) (accept-process-output nil 0.01))
        (should (equal '("Tea requires a login.  Log in now? ") asked))
        (should-not (file-exists-p file))
        (setq answer t)
        (turnwire-test-fail tea failure)
        (while (not (file-exists-p file)) (accept-process-output nil 0.01))
        (should (= 2 (length asked)))))))

(defun turnwire-test-load (folders)
  "Load turnwire.el in another Emacs, with FOLDERS in its `load-path'.
Return the error message, or \"\"."
  (with-temp-buffer
    (apply #'call-process (expand-file-name invocation-name invocation-directory) nil t nil
           "-Q" "--batch"
           (append (mapcan (lambda (folder) (list "-L" folder))
                           (cons (file-name-directory (locate-library "turnwire")) folders))
                   '("--eval" "(condition-case failure (require 'turnwire)
                                 (user-error (princ (error-message-string failure))))")))
    (buffer-string)))

(ert-deftest turnwire-test-a-missing-package-is-named ()
  (let* ((stubs (file-name-directory (locate-library "acp")))
         (folder (make-temp-file "turnwire-test" t)))
    (unwind-protect
        (progn
          (should (equal "" (turnwire-test-load (list stubs))))
          (dolist (missing '("acp" "agent-shell"))
            (let ((said (turnwire-test-load (list folder))))
              (should (string-prefix-p (concat "Turnwire needs the package " missing ",") said))
              (should (string-suffix-p "M-x package-install RET agent-shell RET" said)))
            (copy-file (expand-file-name "acp.el" stubs) (file-name-as-directory folder) t)))
      (delete-directory folder t))))

(ert-deftest turnwire-test-an-agent-without-logins ()
  (turnwire-test-with '(("Turnwire")) nil
    (should-error (turnwire-login '("Turnwire")) :type 'user-error)
    (should-error (turnwire-logout '("Turnwire")) :type 'user-error)))

;;; turnwire-test.el ends here
