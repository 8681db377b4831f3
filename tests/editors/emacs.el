;;; emacs.el --- Does in Emacs what a user does -*- lexical-binding: t -*-

;; Code actions, progress, cancel, hover, undo.  The first failure ends Emacs with status 1.

(package-initialize)
(require 'cl-lib)
(load (expand-file-name "init.el") nil t)
(require 'eglot)
(setq eglot-confirm-server-initiated-edits nil
      eglot-sync-connect 20)

(defun say (&rest arguments)
  (princ (concat (apply #'format arguments) "\n")))

(defun wait-for (what condition)
  (let ((end (+ (float-time) 20)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.02)
      ;; An idle timer sends changes, and in batch mode none runs.
      (when (eglot-current-server)
        (eglot--signal-textDocument/didChange)))
    (unless found
      (error "Never came: %s; the buffer holds: %S" what (buffer-string)))
    (say "ok %s" what)
    found))

(defvar messages nil "What the server told the user.")
(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql window/showMessage)) &key message &allow-other-keys)
  (push message messages))

(defun act (title beginning end)
  "Choose the action whose title begins with TITLE from what is offered on a region."
  ;; A key was pressed, so that eglot asks in the minibuffer and not by a mouse menu.
  (cl-letf ((last-nonmenu-event ?a)
            ((symbol-function 'completing-read)
             (lambda (_prompt collection &rest _)
               (or (seq-find (lambda (each) (string-prefix-p title each))
                             (all-completions "" collection))
                   (error "No such action: %s in %S" title (all-completions "" collection)))))
            ((symbol-function 'read-multiple-choice)
             (lambda (&rest _) (error "Asked"))))
    (eglot-code-actions beginning end nil t))
  (say "ok action %s" title))

(defun hover ()
  (let ((found (jsonrpc-request (eglot-current-server) :textDocument/hover
                                (eglot--TextDocumentPositionParams))))
    (plist-get (plist-get found :contents) :value)))

(defun hang-after (runs)
  (write-region (number-to-string runs) nil "hang" nil 'silent))

(defun is-part-of (original)
  (lambda () (and (< (buffer-size) (length original))
                  (string-match-p "x" (buffer-string)))))

(defun main ()
  (with-current-buffer (find-file-noselect "crash.txt")
    (text-mode)
    (buffer-enable-undo)
    (apply #'eglot (eglot--guess-contact))
    (wait-for "server" #'eglot-current-server)
    (let ((original (buffer-string)))
      (act "Boildown: reduce with " (point-min) (point-min))
      (wait-for "reduced document"
                (lambda () (and messages (string= (string-trim-right (buffer-string)) "x"))))
      (unless (string-match-p "1 byte, " (hover)) (error "No hover"))
      (primitive-undo 1 buffer-undo-list)
      (undo-boundary)
      (let ((undone (buffer-string)))
        (unless (string= undone original) (error "Not undone: %S" undone)))

      (setq messages nil)
      (goto-char (point-min))
      (search-forward "five x six")
      (act "Boildown: reduce the selection alone" (match-beginning 0) (match-end 0))
      (wait-for "reduced selection"
                (lambda () (and messages
                                (string= (buffer-string)
                                         (replace-regexp-in-string "five x six" "x" original)))))
      (erase-buffer)
      (insert original)

      (setq messages nil)
      (hang-after 4)
      (act "Boildown: reduce with " (point-min) (point-min))
      (wait-for "job that hangs" (lambda () (file-exists-p "hanging")))
      (unless (string-match-p "reducing the document" (hover)) (error "No hover"))
      ;; What was found is run once more.
      (delete-file "hang")
      (act "Boildown: cancel the reduction" (point-min) (point-min))
      (wait-for "message of the cancelled job" (lambda () messages))
      (wait-for "best so far" (is-part-of original))
      (unless (string-match-p "It fails: exit 1\\." (boildown "check")) (error "No check"))
      (say "ok check")
      (unless (string-match-p "word \"x\"" (boildown "tree")) (error "No tree"))
      (say "ok tree")
      (set-buffer-modified-p nil)
      (eglot-shutdown (eglot-current-server))
      (say "PASSED"))))

(condition-case problem
    (main)
  (error (say "%S" problem)
         (kill-emacs 1)))
;;; emacs.el ends here
