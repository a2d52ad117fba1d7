;;; acp.el --- What turnwire.el needs of acp, for its tests  -*- lexical-binding: t; -*-

;;; Commentary:

;; The one function that is called, with the arguments that it has.

;;; Code:

(require 'cl-lib)

(cl-defun acp-make-client (&key context-buffer command command-params environment-variables)
  "Make a client out of CONTEXT-BUFFER, COMMAND, COMMAND-PARAMS, ENVIRONMENT-VARIABLES."
  (list (cons :context-buffer context-buffer)
        (cons :command command)
        (cons :command-params command-params)
        (cons :environment-variables environment-variables)))

(provide 'acp)

;;; acp.el ends here
