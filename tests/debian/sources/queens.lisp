;; Count the ways to place n queens on a board of n rows.
(defun free-p (columns column)
  (loop for other in columns
        for distance from 1
        never (or (= other column) (= (abs (- other column)) distance))))
(defun place (n row columns)
  (if (= row n)
      1
      (loop for column below n
            when (free-p columns column)
              sum (place n (1+ row) (cons column columns)))))
(format t "~d~%" (place 12 0 nil))
