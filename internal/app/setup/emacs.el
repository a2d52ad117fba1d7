;; >>> turnwire setup: "turnwire setup emacs --remove" takes out what stands up to <<< >>>
(defun turnwire-setup--config (name identifier command &rest params)
  "What agent-shell has to know of the agent NAME."
  (agent-shell-make-agent-config
   :identifier identifier :mode-line-name name :buffer-name name
   :shell-prompt (concat name "> ")
   :shell-prompt-regexp (regexp-quote (concat name "> "))
   :client-maker
   (apply-partially (lambda (command params buffer)
                      (acp-make-client :command command :command-params params
                                       :context-buffer buffer))
                    command params)))
(defun turnwire-setup--add (configs)
  "CONFIGS of agent-shell, and behind them the agents that they lack."
  (with-demoted-errors "turnwire setup: %S"
    (dolist (agent '(AGENTS))
      (unless (seq-find (lambda (config) ; or a function that makes one
                          (and (consp config)
                               (eq (alist-get :identifier config) (nth 1 agent))))
                        configs)
        (setq configs (append configs (list (apply #'turnwire-setup--config agent)))))))
  configs)
(with-eval-after-load 'agent-shell
  (with-demoted-errors "turnwire setup: %S"
    (if (functionp agent-shell-agent-configs)
        (add-function :filter-return (var agent-shell-agent-configs) #'turnwire-setup--add)
      (setq agent-shell-agent-configs (turnwire-setup--add agent-shell-agent-configs)))))
;; <<< turnwire setup <<<
