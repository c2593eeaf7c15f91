; Work of several kinds for the Scheme interpreter; (define scale N) comes before it. Prints a checksum a kind.

(define (show name value)
  (display name) (display " ") (display value) (newline))

(define (fib n)
  (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))

(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))

; Random numbers by a small linear congruence, so that products stay within a machine word.
(define seed 42)
(define (random-below n)
  (set! seed (remainder (+ (* seed 1103) 12345) 65521))
  (remainder seed n))

(define (random-list n)
  (let loop ((i 0) (out '()))
    (if (= i n) out (loop (+ i 1) (cons (random-below 1000) out)))))

(define (split-by pivot items)
  (let loop ((rest items) (low '()) (high '()))
    (cond ((null? rest) (cons low high))
          ((< (car rest) pivot) (loop (cdr rest) (cons (car rest) low) high))
          (else (loop (cdr rest) low (cons (car rest) high))))))

(define (quicksort items)
  (if (null? items)
      '()
      (let ((parts (split-by (car items) (cdr items))))
        (append (quicksort (car parts)) (list (car items)) (quicksort (cdr parts))))))

(define (checksum items)
  (let loop ((rest items) (sum 7))
    (if (null? rest) sum (loop (cdr rest) (remainder (+ (* sum 31) (car rest)) 99991)))))

; Symbolic differentiation with simplification.
(define (derive e)
  (cond ((number? e) 0)
        ((symbol? e) (if (eq? e 'x) 1 0))
        ((eq? (car e) '+) (plus (derive (cadr e)) (derive (caddr e))))
        ((eq? (car e) '*) (plus (times (cadr e) (derive (caddr e))) (times (derive (cadr e)) (caddr e))))
        (else 0)))
(define (plus a b) (cond ((equal? a 0) b) ((equal? b 0) a) (else (list '+ a b))))
(define (times a b)
  (cond ((or (equal? a 0) (equal? b 0)) 0) ((equal? a 1) b) ((equal? b 1) a) (else (list '* a b))))
(define (size e) (if (pair? e) (+ (size (car e)) (size (cdr e))) (if (null? e) 0 1)))

; Eight queens (or fewer) with lists.
(define (safe? column distance placed)
  (or (null? placed)
      (and (not (= (car placed) column))
           (not (= (abs (- (car placed) column)) distance))
           (safe? column (+ distance 1) (cdr placed)))))
(define (queens n)
  (let place ((row 0) (placed '()))
    (if (= row n)
        1
        (let try ((column 0) (found 0))
          (cond ((= column n) found)
                ((safe? column 1 placed) (try (+ column 1) (+ found (place (+ row 1) (cons column placed)))))
                (else (try (+ column 1) found)))))))

; An association list of symbols. No vectors and no comparison of strings: Debian's version refuses every index.
(define (count-words n)
  (let loop ((i 0) (table '()))
    (if (= i n)
        (length table)
        (let* ((word (string->symbol (string-append "w" (number->string (random-below 40)))))
               (entry (assq word table)))
          (if entry (set-cdr! entry (+ 1 (cdr entry))))
          (loop (+ i 1) (if entry table (cons (cons word 1) table)))))))

(define (escapes n)
  (let loop ((i 0) (sum 0))
    (if (= i n)
        sum
        (loop (+ i 1) (+ sum (call/cc (lambda (leave) (for-each (lambda (x) (if (> x 2) (leave x))) '(1 2 3 4)) 0)))))))

(define (repeat n thunk)
  (if (= n 1) (thunk) (begin (thunk) (repeat (- n 1) thunk))))

(define polynomial '(* (+ x 3) (* (+ (* x x) 1) (+ x (* 2 x)))))

; Loading the interpreter's own library is 2 million events already, so the smallest scale, 0, adds little.
(show "fib" (fib (if (> scale 0) 17 8)))
(show "queens" (queens (if (> scale 0) 6 3)))
(show "escapes" (escapes (+ 1 (* 3 scale))))
(show "words" (count-words (* 4 scale)))
(show "tak" (repeat (+ 1 (* 3 scale)) (lambda () (tak 4 2 0))))
(show "derive" (repeat (+ 1 scale) (lambda () (size (derive (if (> scale 0) (derive polynomial) '(* x x)))))))
(show "sort" (checksum (repeat (+ 1 scale) (lambda () (quicksort (random-list (+ 5 (* 4 scale))))))))
