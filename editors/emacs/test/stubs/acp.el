;;; acp.el --- Stub of acp for the tests of turnwire.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; The function that turnwire.el calls, with its arguments, and the client member
;; that sends requests.

;;; Code:

(require 'cl-lib)

(cl-defun acp-make-client (&key context-buffer command command-params environment-variables)
  "Make a client out of CONTEXT-BUFFER, COMMAND, COMMAND-PARAMS, ENVIRONMENT-VARIABLES."
  (list (cons :context-buffer context-buffer)
        (cons :command command)
        (cons :command-params command-params)
        (cons :environment-variables environment-variables)
        (cons :request-sender #'acp-stub-send)))

(defvar acp-stub-sent nil "The arguments of the request that was sent last.")

(defun acp-stub-send (&rest arguments)
  "Record that ARGUMENTS were sent."
  (setq acp-stub-sent arguments))

(provide 'acp)

;;; acp.el ends here
