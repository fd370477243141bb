;;; drive.el --- Works on the notebook that is open as a person would, and writes down what came of it  -*- lexical-binding: t -*-
;; Started by emacs.test.ts, after the configuration that docs/editors.md gives.
(require 'cl-lib)
(require 'json)

(defvar rpc-limit 20 "Seconds that anything may take.")
(defvar rpc-out nil)

(defun rpc-tell (key value) (push (cons key value) rpc-out))

(defun rpc-await (what look)
  "Wait until LOOK returns something, and return it; WHAT is named if it does not come."
  (let ((latest (+ (float-time) rpc-limit)) found)
    (while (not (setq found (funcall look)))
      (when (> (float-time) latest) (error "No %s within %s s" what rpc-limit))
      (sit-for 0.05))
    found))

(defun rpc-go (text ahead)
  "Put point AHEAD characters after the start of the first TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) ahead)))

(defun rpc-has (text) (save-excursion (goto-char (point-min)) (search-forward text nil t)))
(defun rpc-line () (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
(defun rpc-ask (method params) (jsonrpc-request (eglot-current-server) method params))
(defun rpc-position () (eglot--TextDocumentPositionParams))

(defun rpc-choosing (label act)
  "Call ACT; choose the one that LABEL matches, or the first one, from the list that it shows, and return the list."
  (let* (shown
         (last-nonmenu-event ?x) ; a key: after a mouse there would be a menu
         (completing-read-function (lambda (_prompt collection &rest _)
                                     (setq shown (all-completions "" collection))
                                     (or (and label (seq-find (lambda (each) (string-match-p label each)) shown))
                                         (car shown)))))
    (funcall act)
    shown))

(defun rpc-diagnostics ()
  (sort (mapcar (lambda (each)
                  `((message . ,(flymake-diagnostic-text each))
                    (text . ,(buffer-substring-no-properties (flymake-diagnostic-beg each) (flymake-diagnostic-end each)))))
                (flymake-diagnostics))
        :key (lambda (each) (length (alist-get 'text each))) :reverse t))

(defun rpc-fix ()
  (rpc-await "server" #'eglot-current-server)
  (rpc-tell 'diagnostics (vconcat (rpc-await "diagnostics" #'rpc-diagnostics)))
  (rpc-go "\"eth_getBalanc\"" 3)
  (let ((actions (eglot-code-actions (point) (point) "quickfix")))
    (rpc-tell 'actions (vconcat (mapcar (lambda (each) (plist-get each :title)) actions))))
  (rpc-choosing nil (lambda () (call-interactively #'eglot-code-action-quickfix)))
  (rpc-await "fixed method" (lambda () (rpc-has "\"eth_getBalance\""))))

(defun rpc-type ()
  (rpc-go "\"la\"" 3)
  (completion-at-point)
  (rpc-tell 'completions
            (vconcat (when-let* ((list (get-buffer "*Completions*")))
                       (with-current-buffer list (split-string (buffer-substring-no-properties (point-min) (point-max)) "[ \n\t]+" t)))))
  (execute-kbd-macro (kbd "M-<down> M-RET"))
  (rpc-tell 'completed (rpc-line)))

(defun rpc-look ()
  (rpc-go "\"eth_getBalance\"" 3)
  (rpc-tell 'hover (plist-get (plist-get (rpc-ask :textDocument/hover (rpc-position)) :contents) :value))
  (rpc-go "\"pending\"" 3)
  (rpc-tell 'signature (plist-get (aref (plist-get (rpc-ask :textDocument/signatureHelp (rpc-position)) :signatures) 0) :label))
  (rpc-tell 'symbols (vconcat (mapcar #'car (funcall imenu-create-index-function)))))

(defun rpc-rename ()
  (rpc-go "{{alice}}" 3)
  (eglot-rename "bob")
  (rpc-await "new name" (lambda () (and (rpc-has "{{bob}}") (rpc-has "\"bob\":") (not (rpc-has "alice")))))
  (rpc-go "{{bob}}" 3)
  (rpc-tell 'references (length (rpc-ask :textDocument/references (append (rpc-position) '(:context (:includeDeclaration t))))))
  (call-interactively #'xref-find-definitions)
  (rpc-tell 'declaration (rpc-line)))

(defun rpc-run ()
  (rpc-go "\"eth_getBalance\"" 3)
  (rpc-tell 'lenses (vconcat (rpc-choosing "\\`Run\\b" (lambda () (call-interactively #'eglot-code-actions)))))
  (rpc-tell 'result (rpc-await "result" (lambda ()
                                          (with-current-buffer "*Messages*"
                                            (goto-char (point-min))
                                            (and (search-forward "ether" nil t) (rpc-line)))))))

(defun rpc-format ()
  (eglot-format-buffer)
  (save-buffer)
  (rpc-await "clean bill" (lambda () (null (flymake-diagnostics)))))

(defun rpc-drive (buffer)
  (switch-to-buffer buffer)
  (condition-case why
      (mapc #'funcall '(rpc-fix rpc-type rpc-look rpc-rename rpc-run rpc-format))
    (error (rpc-tell 'failed (format "%S\n%s" why (with-current-buffer buffer (buffer-string))))))
  (rpc-tell 'messages (with-current-buffer "*Messages*" (buffer-string)))
  (with-temp-file (getenv "RPC_TEST_OUT") (insert (json-encode rpc-out)))
  (kill-emacs 0))

(let ((buffer (current-buffer)))
  (run-with-idle-timer 0.1 nil (lambda () (rpc-drive buffer)))) ; after the first command loop, in which eglot starts
;;; drive.el ends here
