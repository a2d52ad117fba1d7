;;; documentation.el --- Check files with checkdoc  -*- lexical-binding: t; -*-

;;; Commentary:

;; checkdoc is made for interactive use: in batch mode it neither counts nor
;; fails.

;;; Code:

(require 'checkdoc)

(defun documentation-check-and-exit ()
  "Print checkdoc's complaints about the files on the command line.
Then exit Emacs, with code 1 if there was a complaint."
  (let* ((complaints 0)
         (checkdoc-create-error-function
          (lambda (text start _end &optional _unfixable)
            (setq complaints (1+ complaints))
            (message "%s:%d: %s" (buffer-file-name) (line-number-at-pos start) text)
            nil)))
    (dolist (file command-line-args-left)
      (with-current-buffer (find-file-noselect file)
        (checkdoc-current-buffer t)))
    (kill-emacs (if (zerop complaints) 0 1))))

;;; documentation.el ends here
