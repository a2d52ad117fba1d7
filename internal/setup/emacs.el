;; >>> turnwire setup: "turnwire setup emacs --remove" takes out what stands up to <<< >>>
(with-eval-after-load 'agent-shell
  (with-demoted-errors "turnwire setup: %S"
    (dolist (agent '(AGENTS))
      (unless (seq-find (lambda (config) (eq (alist-get :identifier config) (nth 1 agent)))
                        agent-shell-agent-configs)
        (let ((name (nth 0 agent)))
          (add-to-list 'agent-shell-agent-configs
                       (agent-shell-make-agent-config
                        :identifier (nth 1 agent) :mode-line-name name :buffer-name name
                        :shell-prompt (concat name "> ")
                        :shell-prompt-regexp (regexp-quote (concat name "> "))
                        :client-maker
                        (apply-partially
                         (lambda (command params buffer)
                           (acp-make-client :command command :command-params params
                                            :context-buffer buffer))
                         (nth 2 agent) (nthcdr 3 agent)))
                       t))))))
;; <<< turnwire setup <<<
