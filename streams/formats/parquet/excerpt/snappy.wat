;; Decompresses Snappy, up to as many bytes as are wanted.
;; Format: https://github.com/google/snappy/blob/main/format_description.txt
;;
;; The memory has the compressed bytes and the output, both at places that the caller chooses. Up to
;; 64 bytes behind either are read or overwritten, which the caller leaves free.
(module
  (memory (export "memory") 1)
  ;; Where the next element begins, for the next call.
  (global $next (export "next") (mut i32) (i32.const 0))

  ;; Reads elements of [from, stop), and writes from `at` on, until `want` is reached, the next element
  ;; is not there as a whole, or `end` would be passed. The output begins at `start`. Gives the place
  ;; behind what was written; 0 if an element is not possible.
  (func (export "decode")
    (param $from i32) (param $stop i32)
    (param $start i32) (param $at i32) (param $want i32) (param $end i32)
    (result i32)
    (local $tag i32) (local $length i32) (local $far i32) (local $own i32) (local $back i32)
    (local $done i32) (local $kind i32)
    (block $ended
      (loop $elements
        (br_if $ended (i32.ge_u (local.get $at) (local.get $want)))
        (br_if $ended (i32.ge_u (local.get $from) (local.get $stop)))
        (local.set $tag (i32.load8_u (local.get $from)))
        (local.set $kind (i32.and (local.get $tag) (i32.const 3)))

        ;; Most elements: literals below 60 bytes and copies with short distances, of at most 32 bytes.
        ;; What kind they are is hard to predict, so it is computed without branches.
        (block $seldom
          (br_if $seldom
            (i32.lt_s (i32.sub (local.get $stop) (local.get $from)) (i32.const 64)))
          (br_if $seldom (i32.lt_s (i32.sub (local.get $end) (local.get $at)) (i32.const 64)))
          (br_if $seldom (i32.eq (local.get $kind) (i32.const 3)))
          (local.set $own (i32.shr_u (local.get $tag) (i32.const 2)))
          (local.set $length
            (select
              (i32.add (i32.and (local.get $own) (i32.const 7)) (i32.const 4))
              (i32.add (local.get $own) (i32.const 1))
              (i32.and (local.get $kind) (i32.const 1))))
          (br_if $seldom (i32.gt_u (local.get $length) (i32.const 32)))
          (local.set $far (i32.load16_u offset=1 (local.get $from)))
          (local.set $back
            (select
              (i32.or
                (i32.shl (i32.and (local.get $tag) (i32.const 0xe0)) (i32.const 3))
                (i32.and (local.get $far) (i32.const 0xff)))
              (local.get $far)
              (i32.and (local.get $kind) (i32.const 1))))
          ;; A literal is a copy of what stands behind its tag.
          (local.set $back (select (local.get $back) (i32.const 16) (local.get $kind)))
          (br_if $seldom (i32.lt_u (local.get $back) (i32.const 16)))
          (br_if $seldom
            (i32.gt_u (local.get $back) (i32.sub (local.get $at) (local.get $start))))
          (local.set $far
            (select
              (i32.sub (local.get $at) (local.get $back))
              (i32.add (local.get $from) (i32.const 1))
              (local.get $kind)))
          (v128.store (local.get $at) (v128.load (local.get $far)))
          (v128.store offset=16 (local.get $at) (v128.load offset=16 (local.get $far)))
          (local.set $at (i32.add (local.get $at) (local.get $length)))
          (local.set $from
            (i32.add
              (i32.add (local.get $from) (i32.const 2))
              (select
                (i32.shr_u (local.get $kind) (i32.const 1))
                (local.get $own)
                (local.get $kind))))
          (br $elements))

        (if (i32.eqz (local.get $kind))
          (then
            ;; A literal: its length less one is in the tag, or in the one to four bytes behind it.
            (local.set $length (i32.shr_u (local.get $tag) (i32.const 2)))
            (local.set $own (i32.add (local.get $from) (i32.const 1)))
            (if (i32.ge_u (local.get $length) (i32.const 60))
              (then
                (local.set $far (i32.sub (local.get $length) (i32.const 59)))
                (local.set $length
                  (i32.and
                    (i32.load (local.get $own))
                    (i32.shr_u
                      (i32.const -1)
                      (i32.sub (i32.const 32) (i32.shl (local.get $far) (i32.const 3))))))
                (local.set $own (i32.add (local.get $own) (local.get $far)))
                (br_if $ended (i32.gt_u (local.get $own) (local.get $stop)))))
            ;; Less than the output, so it does not overflow.
            (if (i32.ge_u (local.get $length) (i32.sub (local.get $end) (local.get $at)))
              (then (return (i32.const 0))))
            (local.set $length (i32.add (local.get $length) (i32.const 1)))
            (br_if $ended
              (i32.gt_u (local.get $length) (i32.sub (local.get $stop) (local.get $own))))
            (memory.copy (local.get $at) (local.get $own) (local.get $length))
            (local.set $from (i32.add (local.get $own) (local.get $length))))
          (else
            ;; A copy of at most 64 bytes from `back` bytes in front; the two may overlap.
            (local.set $length (i32.add (i32.shr_u (local.get $tag) (i32.const 2)) (i32.const 1)))
            (local.set $back (i32.load offset=1 (local.get $from)))
            (local.set $own
              (i32.add (local.get $from) (i32.add (local.get $kind) (i32.const 1))))
            (if (i32.eq (local.get $kind) (i32.const 3))
              (then (local.set $own (i32.add (local.get $from) (i32.const 5)))))
            (if (i32.eq (local.get $kind) (i32.const 2))
              (then (local.set $back (i32.and (local.get $back) (i32.const 0xffff)))))
            (if (i32.eq (local.get $kind) (i32.const 1))
              (then
                (local.set $length
                  (i32.add
                    (i32.and (i32.shr_u (local.get $tag) (i32.const 2)) (i32.const 7))
                    (i32.const 4)))
                (local.set $back
                  (i32.or
                    (i32.shl (i32.and (local.get $tag) (i32.const 0xe0)) (i32.const 3))
                    (i32.and (local.get $back) (i32.const 0xff))))))
            (br_if $ended (i32.gt_u (local.get $own) (local.get $stop)))
            ;; Also where it is 0.
            (if (i32.ge_u
                  (i32.sub (local.get $back) (i32.const 1))
                  (i32.sub (local.get $at) (local.get $start)))
              (then (return (i32.const 0))))
            (if (i32.gt_u (local.get $length) (i32.sub (local.get $end) (local.get $at)))
              (then (return (i32.const 0))))
            (local.set $far (i32.sub (local.get $at) (local.get $back)))
            (if (i32.ge_u (local.get $back) (i32.const 16))
              (then
                (v128.store (local.get $at) (v128.load (local.get $far)))
                (v128.store offset=16 (local.get $at) (v128.load offset=16 (local.get $far)))
                (if (i32.gt_u (local.get $length) (i32.const 32))
                  (then
                    (v128.store offset=32 (local.get $at) (v128.load offset=32 (local.get $far)))
                    (v128.store offset=48 (local.get $at) (v128.load offset=48 (local.get $far))))))
              (else
                (local.set $done (i32.const 0))
                (if (i32.ge_u (local.get $back) (i32.const 8))
                  (then
                    (loop $words
                      (i64.store
                        (i32.add (local.get $at) (local.get $done))
                        (i64.load (i32.add (local.get $far) (local.get $done))))
                      (local.set $done (i32.add (local.get $done) (i32.const 8)))
                      (br_if $words (i32.lt_u (local.get $done) (local.get $length)))))
                  (else
                    (loop $bytes
                      (i32.store8
                        (i32.add (local.get $at) (local.get $done))
                        (i32.load8_u (i32.add (local.get $far) (local.get $done))))
                      (local.set $done (i32.add (local.get $done) (i32.const 1)))
                      (br_if $bytes (i32.lt_u (local.get $done) (local.get $length))))))))
            (local.set $from (local.get $own))))
        (local.set $at (i32.add (local.get $at) (local.get $length)))
        (br $elements)))
    (global.set $next (local.get $from))
    (local.get $at))
)
