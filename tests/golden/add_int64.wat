;; add_int64, ASCII, no nulls
(module
  (import "host" "memory" (memory 1))
  (func $run (export "run") (param $$row i32) (param $$rows i32) (param $$result i32) (param $$capacity i32) (param $$offsets i32) (param $$base i32) (param $$validity i32) (param $$scratch i32) (param $$words0 i32) (param $$words1 i32) (result i32 i32 i32)
    (local $$nulls i32)
    (local $$at i32)
    (local $$limit i32)
    (local $$begin i32)
    (local $$shift i32)
    (local $value i64)
    (local $arg i64)
    (local $$temporary0 i64)
    local.get $$result
    local.tee $$at
    local.tee $$begin
    local.get $$capacity
    i32.add
    local.set $$limit
    local.get $$base
    local.get $$result
    i32.sub
    local.set $$shift
    block $$full
      loop $$next
        local.get $$row
        local.get $$rows
        i32.ge_s
        br_if $$full
        block $$body
          local.get $$words0
          local.get $$row
          i32.const 8
          i32.mul
          i32.add
          i64.load align=1
          local.set $value
          local.get $$words1
          local.get $$row
          i32.const 8
          i32.mul
          i32.add
          i64.load align=1
          local.set $arg
          local.get $value
          local.get $arg
          i64.add
          local.tee $$temporary0
          local.get $value
          i64.xor
          local.get $$temporary0
          local.get $arg
          i64.xor
          i64.and
          i64.const 0
          i64.lt_s
          if $$
            local.get $$nulls
            i32.const 1
            i32.add
            local.set $$nulls
            local.get $$validity
            local.get $$row
            i32.const 3
            i32.shr_u
            i32.add
            local.get $$validity
            local.get $$row
            i32.const 3
            i32.shr_u
            i32.add
            i32.load8_u align=1
            i32.const 1
            local.get $$row
            i32.const 7
            i32.and
            i32.shl
            i32.const -1
            i32.xor
            i32.and
            i32.store8 align=1
            br $$body
          end
          local.get $$result
          local.get $$row
          i32.const 8
          i32.mul
          i32.add
          local.get $value
          local.get $arg
          i64.add
          i64.store align=1
        end
        local.get $$row
        i32.const 1
        i32.add
        local.set $$row
        br $$next
      end
    end
    local.get $$row
    local.get $$begin
    local.get $$result
    i32.sub
    local.get $$nulls
  )
  (func $isAscii (export "isAscii") (param $from i32) (param $size i32) (result i32)
    (local $end i32)
    (local $seen v128)
    local.get $from
    local.get $size
    i32.const -64
    i32.and
    i32.add
    local.set $end
    local.get $from
    local.get $end
    i32.lt_u
    if $whole
      loop $words
        local.get $seen
        local.get $from
        v128.load align=1
        v128.or
        local.get $from
        v128.load offset=16 align=1
        v128.or
        local.get $from
        v128.load offset=32 align=1
        v128.or
        local.get $from
        v128.load offset=48 align=1
        v128.or
        local.set $seen
        local.get $from
        i32.const 64
        i32.add
        local.set $from
        local.get $from
        local.get $end
        i32.lt_u
        br_if $words
      end
    end
    local.get $from
    local.get $size
    i32.const 48
    i32.and
    i32.add
    local.set $end
    local.get $from
    local.get $end
    i32.lt_u
    if $whole
      loop $words
        local.get $seen
        local.get $from
        v128.load align=1
        v128.or
        local.set $seen
        local.get $from
        i32.const 16
        i32.add
        local.set $from
        local.get $from
        local.get $end
        i32.lt_u
        br_if $words
      end
    end
    local.get $seen
    i8x16.bitmask
    local.get $from
    v128.load align=1
    i8x16.bitmask
    i32.const 1
    local.get $size
    i32.const 15
    i32.and
    i32.shl
    i32.const 1
    i32.sub
    i32.and
    i32.or
    i32.eqz
  )
)
