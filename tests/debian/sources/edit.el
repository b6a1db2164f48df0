;; Change many words, sort the lines, and write the result.
(find-file "words-small.txt")
(dotimes (_ 15)
  (goto-char (point-min))
  (while (re-search-forward "\\<\\([a-z]+\\)\\([0-9]+\\)\\>" nil t)
    (replace-match "\\2\\1" t)))
(sort-lines nil (point-min) (point-max))
(write-file "edited.txt")
