;;; emacs_package.el --- Does in Emacs with the package what a user does -*- lexical-binding: t -*-

;; Commands, progress, candidates, holes.  The first failure ends Emacs with status 1.

(package-initialize)
(require 'cl-lib)
(load (expand-file-name "init.el") nil t)
;; As they are at first, or worse: nobody waits for a server, and no question is answered.
(setq eglot-sync-connect nil
      global-mode-string nil)
(dolist (question '(y-or-n-p yes-or-no-p))
  (advice-add question :override (lambda (prompt) (error "Asked: %s" prompt))))

(defun say (&rest arguments)
  (princ (concat (apply #'format arguments) "\n")))

(defun wait-for (what condition)
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.02))
    (unless found
      (error "Never came: %s; the buffer holds: %S" what (buffer-string)))
    (say "ok %s" what)
    found))

(defun same (what found wanted)
  (unless (equal found wanted) (error "%s: %S" what found))
  (say "ok %s" what))

(defvar messages nil "What the user was told.")
(advice-add 'message :before
            (lambda (&rest arguments)
              (when (car arguments) (push (apply #'format-message arguments) messages))))

(defun told (part)
  (lambda () (seq-find (lambda (each) (string-match-p (regexp-quote part) each)) messages)))

(defvar offered nil "What the last question offered.")
(defvar wanted nil "A part of what is to be chosen.")
(advice-add 'completing-read :override
            (lambda (_prompt collection &rest _)
              (setq offered (all-completions "" collection))
              (or (seq-find (lambda (each) (string-match-p (regexp-quote wanted) each)) offered)
                  (error "No %s in %S" wanted offered))))

(defun holes ()
  (sort (mapcar (lambda (each) (list (overlay-start each) (overlay-end each)))
                (seq-filter (lambda (each) (overlay-get each 'boildown))
                            (overlays-in (point-min) (1+ (point-max)))))
        (lambda (one other) (string< (format "%09d %09d" (car one) (cadr one))
                                     (format "%09d %09d" (car other) (cadr other))))))

(defun visit (file mode)
  (switch-to-buffer (find-file-noselect file))
  (funcall mode)
  (buffer-enable-undo))

(defun test-progress ()
  (visit "crash.txt" #'text-mode)
  (let ((original (buffer-string)))
    (write-region "4" nil "hang" nil 'silent)
    (boildown-reduce)
    (wait-for "job that hangs" (lambda () (file-exists-p "hanging")))
    (wait-for "smaller text in the mode line"
              (lambda ()
                (and (string-match "\\` \\[Boildown: 463 → \\([0-9]+\\) bytes?, [0-9]+ runs?, "
                                   (or boildown--mode-line ""))
                     (< (string-to-number (match-string 1 boildown--mode-line)) 463))))
    (same "mode line" global-mode-string '("" boildown--mode-line))
    ;; What was found is run once more.
    (delete-file "hang")
    (boildown-cancel)
    (wait-for "end of the progress" (lambda () (equal boildown--mode-line "")))
    (wait-for "best so far" (lambda () (and (< (buffer-size) (length original))
                                            (string-match-p "x" (buffer-string)))))
    (wait-for "message" (told "463 → "))
    (setq wanted "the original" offered nil)
    ;; The steps are kept a moment after the result is told.
    (let ((tries 20))
      (while (and (null offered) (< 0 (cl-decf tries)))
        (boildown-history)
        (with-timeout (1) (while (null offered) (accept-process-output nil 0.02)))))
    (wait-for "original" (lambda () (string= original (buffer-string))))
    (same "first step" (car offered) "1: 463 bytes, the original")
    (search-forward "five x six")
    (push-mark (match-beginning 0) t t)
    (let ((transient-mark-mode t))
      (boildown-reduce "alone"))
    (wait-for "reduced selection"
              (lambda () (string= (buffer-string)
                                  (string-replace "five x six" "x" original))))
    (boildown-tree)
    (wait-for "tree" (lambda () (get-buffer "*Boildown tree*")))
    (set-buffer-modified-p nil)))

(defun test-pattern ()
  (visit "pairs.json" #'js-mode)
  (boildown-generalize)
  (wait-for "holes" (lambda () (= 3 (length (holes)))))
  (same "places of the holes" (holes) '((2 3) (4 5) (5 5)))
  (goto-char 2)
  (same "what a hole may hold" (boildown--eldoc)
        (concat "May be any <value>: 100 of 100 random texts failed alike,"
                " so at least 97.0 % of all do."))
  (goto-char 1)
  (same "what no hole may hold" (boildown--eldoc) nil)
  (wait-for "end of its progress" (lambda () (equal boildown--mode-line "")))
  (goto-char 2)
  (delete-char 1)
  (insert "7")
  (eglot--signal-textDocument/didChange)
  (wait-for "forgotten pattern" (lambda () (null (holes))))
  (set-buffer-modified-p nil))

(defun test-failing-test ()
  (visit "test_shop.py" #'python-mode)
  (search-forward "def test_two")
  (setq wanted "[1, 2, 3]" messages nil)
  (boildown-reduce-test)
  (wait-for "reduced literal"
            (lambda () (string-match-p (regexp-quote "é = \"[0,0]\"") (buffer-string))))
  (same "candidates" offered '("1: String in line 4: [1, 2, 3]" "2: String in line 5: [4]"))
  (wait-for "its message" (told "9 → 5 bytes"))
  (goto-char (point-min))
  (search-forward "0,")
  (boildown-generalize)
  (wait-for "holes in the literal" (lambda () (= 3 (length (holes)))))
  (same "their texts" (mapcar (lambda (each) (apply #'buffer-substring-no-properties each)) (holes))
        '("0" "0" ""))
  (set-buffer-modified-p nil))

;; In a failed test two keys reduce its input, wherever that stands.
(defun test-keys ()
  (let ((keys (kbd "C-c b")))
    (same "keys" (length keys) 2)
    (dolist (each (with-temp-buffer
                    (insert-file-contents "keys.json")
                    (json-parse-buffer :array-type 'list)))
      (pcase-let ((`(,test ,place ,file ,expected) each))
        (visit "test_kinds.py" #'python-mode)
        (boildown--server)
        (goto-char (point-min))
        (search-forward (concat "def " test))
        (search-forward place)
        (setq messages nil)
        (execute-kbd-macro keys)
        (wait-for (concat "message of " test) (told "Boildown: Reduced "))
        (wait-for (concat "reduced input of " test)
                  (lambda ()
                    (when-let ((buffer (get-file-buffer file)))
                      (with-current-buffer buffer
                        (string-match-p (regexp-quote expected) (buffer-string))))))
        (revert-buffer t t)
        (eglot--signal-textDocument/didChange)))))

(defun test-test-command ()
  (visit "crash.log" #'text-mode)
  (let ((before (eglot-current-server)))
    (boildown)
    (wait-for "another server" (lambda () (and (eglot-current-server)
                                               (not (eq before (eglot-current-server)))))))
  (advice-add 'read-string :override (lambda (&rest _) "python3 -I -S repro.py {file}"))
  (boildown-reduce)
  (wait-for "reduced after the command was given" (lambda () (string= (buffer-string) "x")))
  (set-buffer-modified-p nil))

(defun test-result ()
  (let ((original "a line\nand x\n") explained)
    (cl-letf (((symbol-function 'eldoc) (lambda (&rest _) (setq explained t))))
      (setq wanted "try without this")
      ;; The steps are kept a moment after the result is told.
      (wait-for "action on the result"
                (lambda ()
                  (ignore-errors
                    (eglot-code-actions (point) nil "quickfix.boildown.explain" t)
                    t)))
      (wait-for "explanation by its action" (lambda () explained)))
    (pcase-dolist (`(,do ,text) `((boildown-undo ,original) (boildown-apply "x")
                                  (boildown-undo ,original)))
      (funcall do)
      (wait-for (symbol-name do) (lambda () (string= (buffer-string) text))))
    (boildown-discard)
    (boildown-apply)
    (wait-for "no result any more" (told "There is no result for this document"))
    (set-buffer-modified-p nil)))

(condition-case problem
    (progn
      (test-progress)
      (test-pattern)
      (test-failing-test)
      (test-keys)
      (test-test-command)
      (test-result)
      (eglot-shutdown-all)
      (say "PASSED"))
  (error (say "%S %S" problem messages)
         (kill-emacs 1)))
;;; emacs_package.el ends here
