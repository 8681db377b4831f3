;;; boildown.el --- Boil a failing input down to the smallest one -*- lexical-binding: t -*-

;; Author: The Boildown contributors
;; URL: https://github.com/boildown-project/boildown
;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Boildown takes an input that makes a program fail, and finds the smallest
;; one that still fails the same way, and the pattern of all inputs that do.
;; This is the client of its language server, `boildown lsp', for Eglot.
;;
;; `M-x boildown-reduce' works on the failing input at point, or on the region:
;; a string in a test, a block of code in Markdown, or the whole file.
;; `M-x boildown-reduce-test' finds the input that the test at point fails on.
;; `M-x boildown-generalize' finds the pattern, whose holes are highlighted.
;;
;; Eglot has one server for each buffer.  In a buffer without one the commands
;; start Boildown; `M-x boildown' takes it in place of another.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(defgroup boildown nil
  "Reduction and generalization of failing inputs."
  :group 'tools)

(defcustom boildown-command '("boildown" "lsp")
  "The program that is the language server, with its arguments."
  :type '(repeat string))

(defcustom boildown-initialization-options '(:applyResult "edit")
  "Options of the server, as a property list.
`:applyResult' is \"edit\" where the result for a whole file goes into
its buffer, or \"preview\" where it is written beside the file;
`:maxSeconds' is how long a job may take."
  :type 'plist)

(defface boildown-hole '((t :inherit match))
  "The face of what may be something else in a failing input.")

(defface boildown-gap '((t :inherit shadow))
  "The face of the name of a place where more may stand.")

;;; The server

(defclass boildown-server (eglot-lsp-server) ()
  :documentation "Boildown's language server.")

(cl-defmethod eglot-initialization-options ((_server boildown-server))
  "Ask for patterns beside what the user asks for."
  (append '(:liveProgress t) boildown-initialization-options))

(cl-defmethod eglot-client-capabilities ((_server boildown-server))
  "Ask for progress, which older versions of Eglot do not show."
  (let* ((all (copy-sequence (cl-call-next-method)))
         (window (copy-sequence (plist-get all :window))))
    (plist-put all :window (plist-put window :workDoneProgress t))))

;;;###autoload
(defun boildown ()
  "Start Boildown's language server for this buffer, in place of another."
  (interactive)
  (unless (executable-find (car boildown-command))
    (user-error "There is no `%s': install it, or set `boildown-command'" (car boildown-command)))
  (when-let ((server (eglot-current-server)))
    (eglot-shutdown server))
  (let ((eglot-server-programs `((,major-mode . (boildown-server ,@boildown-command))))
        ;; A command that starts the server goes on once it answers.
        (eglot-sync-connect t))
    (call-interactively #'eglot)))

(defun boildown--server ()
  "Return the server of this buffer, which is started if there is none."
  (let ((server (eglot-current-server)))
    (cond ((null server)
           (boildown)
           (or (eglot-current-server) (user-error "Boildown did not start")))
          ((object-of-class-p server 'boildown-server) server)
          (t (user-error "Eglot runs another server here; `M-x boildown' takes its place")))))

(defun boildown--execute (name argument &optional then)
  "Send the command NAME with ARGUMENT to the server.
Call THEN with the answer, in the same buffer, if it is no refusal.
The server tells why it refuses, and what came of a job."
  (let ((buffer (current-buffer)) (server (boildown--server)))
    ;; What was typed a moment ago has not been sent yet.
    (eglot--signal-textDocument/didChange)
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command (concat "boildown." name) :arguments (vector argument))
     :timeout nil
     :error-fn (lambda (problem) (message "Boildown: %s" (plist-get problem :message)))
     :success-fn
     (lambda (answer)
       (when (and then (or (plist-get answer :needs)
                           (not (equal (plist-get answer :state) "refused"))))
         ;; The answer comes in a process filter, which must not ask the user.
         (run-at-time 0 nil (lambda ()
                              (when (buffer-live-p buffer)
                                (with-current-buffer buffer (funcall then answer))))))))))

(defun boildown--here ()
  "Return the argument of a command: where point or the region is."
  (boildown--server)
  (let ((first (if (use-region-p) (region-beginning) (point)))
        (last (if (use-region-p) (region-end) (point))))
    (append (eglot--TextDocumentIdentifier)
            (list :range (list :start (eglot--pos-to-lsp-position first)
                               :end (eglot--pos-to-lsp-position last))))))

(cl-defmethod eglot-handle-notification
  ((_server boildown-server) (_method (eql 'window/showMessage)) &key message &allow-other-keys)
  "Show MESSAGE of the server in the echo area, as it is."
  (message "%s" message))

;; Of these, Eglot 1.16 has the second.
(defvar eglot-confirm-server-initiated-edits)
(defvar eglot-confirm-server-edits)

(cl-defmethod eglot-handle-request :around
  ((_server boildown-server) (_method (eql 'workspace/applyEdit)) &key edit &allow-other-keys)
  "Make EDIT without a question, which would take whatever is being typed.
Tell the server of it at once, and not when Emacs is idle."
  ;; Eglot asks before it edits a file that is in no buffer, whatever the options.
  (seq-doseq (each (plist-get edit :documentChanges))
    (find-file-noselect (eglot--uri-to-path (plist-get (plist-get each :textDocument) :uri))))
  (prog1 (let ((eglot-confirm-server-initiated-edits nil)
               (eglot-confirm-server-edits nil))
           (cl-call-next-method))
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when (eglot-managed-p)
          (eglot--signal-textDocument/didChange))))))

;;; Progress

(defvar boildown--jobs nil
  "The progress of the running jobs, by their tokens.")

(defvar boildown--mode-line nil
  "How far the jobs are, in the mode line.")

(cl-defmethod eglot-handle-notification
  ((_server boildown-server) (_method (eql '$/progress)) &key token value)
  "Show the progress VALUE of the job TOKEN in the mode line."
  (setf (alist-get token boildown--jobs nil 'remove #'equal)
        (unless (equal (plist-get value :kind) "end")
          (or (plist-get value :message) "")))
  (boildown--show-progress))

(cl-defmethod eglot-handle-notification
  ((_server boildown-server) (_method (eql 'boildown/progress)) &rest _)
  "Ignore this notification: `$/progress' has the same.")

(defun boildown--show-progress ()
  "Show how far all jobs are in the mode line."
  (setq boildown--mode-line
        (mapconcat (lambda (job) (format " [Boildown: %s]" (cdr job))) boildown--jobs ""))
  ;; A list that begins with a symbol would be a condition.
  (unless global-mode-string (setq global-mode-string (list "")))
  (add-to-list 'global-mode-string 'boildown--mode-line t)
  (force-mode-line-update t))

(cl-defmethod jsonrpc-shutdown :after ((_server boildown-server) &rest _)
  "Forget the jobs of a server that ends."
  (setq boildown--jobs nil)
  (boildown--show-progress))

;;; Patterns

(defun boildown--buffer (uri)
  "Return the buffer of the document URI; nil if there is none."
  (seq-find (lambda (buffer)
              (with-current-buffer buffer
                (and buffer-file-name
                     (eglot-managed-p)
                     (equal uri (plist-get (eglot--TextDocumentIdentifier) :uri)))))
            (buffer-list)))

(cl-defmethod eglot-handle-notification
  ((_server boildown-server) (_method (eql 'boildown/pattern))
   &key uri pattern start end &allow-other-keys)
  "Highlight the holes of PATTERN between START and END of the document URI."
  (when-let ((buffer (boildown--buffer uri)))
    (with-current-buffer buffer
      (save-restriction
        (widen)
        (remove-overlays (point-min) (point-max) 'boildown t)
        (when pattern
          (boildown--highlight pattern
                               (eglot--lsp-position-to-point start)
                               (eglot--lsp-position-to-point end)))))))

(defun boildown--highlight (pattern start end)
  "Highlight the holes of PATTERN where its text stands between START and END.
It does so letter by letter, but for a literal with escapes."
  (save-excursion
    (goto-char start)
    (let ((text (plist-get pattern :text)) (case-fold-search nil))
      (when (search-forward text end t)
        (let ((at (- (point) (length text))))
          (seq-do (lambda (hole) (boildown--mark hole at)) (plist-get pattern :holes)))
        (add-hook 'eldoc-documentation-functions #'boildown--eldoc nil t)))))

(defun boildown--mark (hole at)
  "Make an overlay of HOLE in the text that begins AT a position."
  (let* ((start (+ at (plist-get hole :start)))
         (end (+ at (plist-get hole :end)))
         (overlay (make-overlay start end)))
    (overlay-put overlay 'boildown t)
    (overlay-put overlay 'boildown-hole hole)
    (overlay-put overlay 'face 'boildown-hole)
    (overlay-put overlay 'help-echo (boildown--described hole))
    (when (= start end)
      (overlay-put overlay 'after-string
                   (propertize (plist-get hole :shown) 'face 'boildown-gap)))))

(defun boildown--described (hole)
  "Return what HOLE may hold, in sentences."
  (concat
   (format "May be any %s: %d of %d random texts failed alike, so at least %.1f %% of all do."
           (plist-get hole :shown) (plist-get hole :reproduced) (plist-get hole :trials)
           (* 100 (plist-get hole :lower_bound)))
   (when-let ((counterexample (plist-get hole :counterexample)))
     (format " It passes with %S." counterexample))))

(defun boildown--eldoc (&rest _)
  "Return what the hole at point may hold; nil if there is none."
  (when-let ((overlay (seq-find (lambda (each) (overlay-get each 'boildown))
                                (overlays-in (point) (1+ (point))))))
    (boildown--described (overlay-get overlay 'boildown-hole))))

;;; Commands

(defconst boildown--inputs '("literal" "block" "selection" "alone" "document")
  "What a failing input may be; \"alone\" is the region as a file of its own.")

(defun boildown--read-input ()
  "Ask which failing input is meant if there is a prefix argument."
  (list (when current-prefix-arg
          (completing-read "Input: " boildown--inputs nil t))))

(defun boildown--run (name input &optional on-done)
  "Run the command NAME on INPUT at point, or on the first that is there.
Ask for a test command where that is missing.  Then call ON-DONE, if
there is one and the user is still there."
  (let ((here (append (boildown--here) (when input (list :input input)))))
    (boildown--execute name (if on-done (append here '(:wait t)) here)
                       (lambda (answer)
                         (cond ((plist-get answer :needs)
                                (boildown--configure here (boildown--read-command)))
                               ((and on-done (equal (plist-get answer :state) "done"))
                                (funcall on-done)))))))

(defun boildown--read-command ()
  "Ask for a test command."
  (read-string "Test command ({file} is the failing input): "))

(defun boildown--configure (here command)
  "Make COMMAND the test command of the input HERE, and reduce that."
  (unless (string-blank-p command)
    (boildown--execute "configure" (append here (list :command command)))))

;;;###autoload
(defun boildown-reduce (&optional input)
  "Reduce the failing input at point, or the region.
The result is one edit, which `undo' takes back.  With a prefix
argument, ask which INPUT is meant."
  (interactive (boildown--read-input))
  (boildown--run "reduce" input))

;;;###autoload
(defun boildown-generalize (&optional input)
  "Find the pattern of all inputs that fail like the one at point.
With a prefix argument, ask which INPUT is meant."
  (interactive (boildown--read-input))
  (boildown--run "generalize" input))

;;;###autoload
(defun boildown-explain (&optional input)
  "Say why nothing more of the failing input at point can go.
With a prefix argument, ask which INPUT is meant."
  (interactive (boildown--read-input))
  (boildown--run "explain" input #'boildown--hover))

(defun boildown--hover ()
  "Show the hover at point, if the user is still in this buffer."
  (when (eq (current-buffer) (window-buffer))
    (eldoc t)))

(cl-defmethod eglot-execute-command
  ((_server boildown-server) (_command (eql 'boildown.explain)) arguments)
  "Ask for the explanation of ARGUMENTS by its code action, and show it at point."
  (boildown--execute "explain" (append (aref arguments 0) '(:wait t))
                     (lambda (answer)
                       (when (equal (plist-get answer :state) "done")
                         (boildown--hover)))))

;;;###autoload
(defun boildown-why (&optional input)
  "Rank the functions in which the bug of the failing input at point may be.
With a prefix argument, ask which INPUT is meant."
  (interactive (boildown--read-input))
  (boildown--run "why" input))

;;;###autoload
(defun boildown-check (&optional input)
  "Say what would run on the failing input at point, and whether it fails.
With a prefix argument, ask which INPUT is meant."
  (interactive (boildown--read-input))
  (boildown--run "check" input))

;;;###autoload
(defun boildown-reduce-test ()
  "Find the inputs that the Python test at point fails on, and reduce one.
Where there are several, you choose."
  (interactive)
  (boildown--execute
   "candidates" (boildown--here)
   (lambda (answer)
     (let* ((found (append (plist-get answer :candidates) nil))
            (likely (seq-filter (lambda (each) (eq t (plist-get each :likely))) found))
            (chosen (if (= 1 (length likely))
                        (car likely)
                      (boildown--choose "Reduce: " found
                                        (lambda (each) (plist-get each :label))))))
       (when chosen
         (boildown--execute "reduce" (list :uri (plist-get chosen :uri)
                                           :candidate (plist-get chosen :candidate))))))))

(defun boildown--choose (prompt things label)
  "Ask with PROMPT for one of THINGS, whose lines the function LABEL gives."
  (let* ((number 0)
         (table (mapcar (lambda (each)
                          (cons (format "%d: %s" (cl-incf number) (funcall label each)) each))
                        things)))
    (when table
      (cdr (assoc (completing-read prompt table nil t nil nil (caar table)) table)))))

;;;###autoload
(defun boildown-history ()
  "Choose a step of the reduction that led to the text at point, and restore it."
  (interactive)
  (let ((here (boildown--here)))
    (boildown--execute
     "history" here
     (lambda (answer)
       (let* ((steps (append (plist-get answer :steps) nil))
              (chosen (boildown--choose "Restore: " steps #'boildown--step)))
         (when chosen
           (boildown--execute "history"
                              (append here (list :step (seq-position steps chosen #'eq))))))))))

(defun boildown--step (step)
  "Return STEP of a reduction in one line."
  (format "%d bytes, %s%s" (plist-get step :bytes)
          (if (zerop (plist-get step :run)) "the original"
            (format "after run %d" (plist-get step :run)))
          (if (eq t (plist-get step :isCurrent)) ", now here" "")))

;;;###autoload
(defun boildown-apply ()
  "Put the last result into this buffer, if it is what was reduced."
  (interactive)
  (boildown--execute "apply" (boildown--here)))

;;;###autoload
(defun boildown-undo ()
  "Put the original back in the place of the result at point."
  (interactive)
  (boildown--execute "undo" (boildown--here)))

;;;###autoload
(defun boildown-discard ()
  "Offer the last result for this buffer no more."
  (interactive)
  (boildown--execute "discard" (boildown--here)))

;;;###autoload
(defun boildown-instantiate (form)
  "Make further inputs of the pattern at point, in FORM.
That is \"text\", \"pytest\" or \"hypothesis\" for a regression test, or
\"pattern\"."
  (interactive (list (completing-read "Form: " '("text" "pytest" "hypothesis" "pattern") nil t
                                      nil nil "text")))
  (boildown--execute "instantiate" (append (boildown--here) (list :form form))))

;;;###autoload
(defun boildown-tree ()
  "Show the tree of the failing input at point."
  (interactive)
  (boildown--execute "tree" (boildown--here)
                     (lambda (answer) (boildown--show "tree" (plist-get answer :text)))))

;;;###autoload
(defun boildown-report ()
  "Show a bug report on the smallest input known of the one at point."
  (interactive)
  (boildown--execute "report" (boildown--here)
                     (lambda (answer) (boildown--show "report" (plist-get answer :markdown)))))

(defun boildown--show (name text)
  "Show TEXT, if there is one, in a buffer that is named after NAME."
  (when text
    (with-current-buffer (get-buffer-create (format "*Boildown %s*" name))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text))
      (goto-char (point-min))
      (special-mode)
      (display-buffer (current-buffer)))))

;;;###autoload
(defun boildown-set-test-command (command)
  "Write COMMAND, which fails, into boildown.toml, and reduce the input at point."
  (interactive (list (boildown--read-command)))
  (boildown--configure (boildown--here) command))

;;;###autoload
(defun boildown-cancel ()
  "End the job on this buffer; the best so far is kept."
  (interactive)
  (boildown--execute "cancel" (eglot--TextDocumentIdentifier)))

(provide 'boildown)
;;; boildown.el ends here
