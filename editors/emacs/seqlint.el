;;; seqlint.el --- seqlint in Emacs, through eglot  -*- lexical-binding: t; -*-

;; Emacs 29 or later has eglot; for older ones it is a package.  Load this file from your init file.

(autoload 'eglot-ensure "eglot" nil t)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((python-mode python-ts-mode) . ("seqlint" "server"))))

(add-hook 'python-mode-hook #'eglot-ensure)
(add-hook 'python-ts-mode-hook #'eglot-ensure)

(defun seqlint-fix-all ()
  "Apply all safe fixes of seqlint to the buffer."
  (interactive)
  (when (eglot-current-server)
    (dolist (action (append (eglot-code-actions (point-min) (point-max) "source.fixAll.seqlint") nil))
      (seqlint--apply action))))

(defun seqlint--apply (action)
  "Apply the edits of ACTION; where the server still owes them, ask for them."
  (let* ((server (eglot-current-server))
         (whole (if (plist-get action :edit) action (jsonrpc-request server :codeAction/resolve action)))
         (edit (plist-get whole :edit)))
    ;; The second argument says who asks: Emacs 30 knows it, older ones a question before applying.
    (when edit
      (eglot--apply-workspace-edit edit (and (>= emacs-major-version 30) this-command)))))

(defun seqlint-fix-on-save ()
  "Apply all safe fixes whenever the buffer is saved."
  (add-hook 'before-save-hook #'seqlint-fix-all nil t))

;; Fix on save: (add-hook 'eglot-managed-mode-hook #'seqlint-fix-on-save)

(provide 'seqlint)
;;; seqlint.el ends here
