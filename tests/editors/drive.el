;;; What a user of Emacs does with a file that has findings.  -*- lexical-binding: t; -*-
;; What came of it goes into the file that $SEEN names.

(require 'eglot)
(require 'flymake)
(require 'python)
(require 'json)
(load (getenv "SEQLINT_EL"))

(defvar seen nil)

(defun wait-for (what done)
  "Wait until DONE returns non-nil; fail, naming WHAT, when it takes too long."
  (let ((until (+ (float-time) 60)))
    (while (and (not (funcall done)) (< (float-time) until))
      (accept-process-output nil 0.05))
    (unless (funcall done) (error "It never came to this: %s" what))))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))

(setq eglot-sync-connect t
      eglot-connect-timeout 120
      eglot-confirm-server-initiated-edits nil)
(remove-hook 'python-mode-hook #'eglot-ensure)

(find-file (car command-line-args-left))
(setq command-line-args-left nil)
(python-mode)
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)
(wait-for "diagnostics" (lambda () (flymake-start) (flymake-diagnostics)))
(push (cons 'found (vconcat (mapcar (lambda (one) (flymake-diagnostic-text one)) (flymake-diagnostics)))) seen)
(push (cons 'before (text)) seen)

(seqlint-fix-all)
(push (cons 'fixed (text)) seen)

(with-temp-file (getenv "SEEN") (insert (json-encode seen)))
(set-buffer-modified-p nil)
(kill-emacs 0)
