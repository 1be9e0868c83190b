;; repeat, ASCII, no nulls
(module
  (import "host" "memory" (memory 1))
  (func $run (export "run") (param $$row i32) (param $$rows i32) (param $$result i32) (param $$capacity i32) (param $$offsets i32) (param $$base i32) (param $$validity i32) (param $$scratch i32) (param $$words1 i32) (param $$literals i32) (param $$offsets0 i32) (param $$data0 i32) (result i32 i32 i32)
    (local $$nulls i32)
    (local $$at i32)
    (local $$limit i32)
    (local $$begin i32)
    (local $$shift i32)
    (local $$start0 i32)
    (local $$stop0 i32)
    (local $$next0 i32)
    (local $arg i32)
    (local $count i32)
    (local $$from i32)
    (local $$bytes i32)
    (local $at i32)
    (local $$byte224 v128)
    (local $$byte97 v128)
    (local $$byte25 v128)
    (local $$bytes16 v128)
    (local $$place i32)
    (local $$last i32)
    (local $$mask i32)
    (local $count_2 i32)
    (local $$word v128)
    v128.const i8x16 224 224 224 224 224 224 224 224 224 224 224 224 224 224 224 224
    local.set $$byte224
    v128.const i8x16 97 97 97 97 97 97 97 97 97 97 97 97 97 97 97 97
    local.set $$byte97
    v128.const i8x16 25 25 25 25 25 25 25 25 25 25 25 25 25 25 25 25
    local.set $$byte25
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
    local.get $$offsets0
    local.get $$row
    i32.const 2
    i32.shl
    i32.add
    i32.load align=1
    local.set $$next0
    block $$full
      loop $$next
        local.get $$row
        local.get $$rows
        i32.ge_s
        br_if $$full
        local.get $$next0
        local.set $$start0
        local.get $$offsets0
        local.get $$row
        i32.const 2
        i32.shl
        i32.add
        i32.load offset=4 align=1
        local.tee $$next0
        local.set $$stop0
        block $$body
          local.get $$words1
          local.get $$row
          i32.const 4
          i32.mul
          i32.add
          i32.load align=1
          local.set $arg
          local.get $arg
          i32.const 63
          i32.and
          local.set $count
          block $$repeat
            i32.const 2
            i32.const 0
            i32.le_s
            br_if $$repeat
            local.get $count
            i32.const 0
            i32.le_s
            br_if $$repeat
            i32.const 2
            i64.extend_i32_s
            local.get $count
            i64.extend_i32_s
            i64.mul
            local.get $$limit
            local.get $$at
            i32.sub
            i64.extend_i32_s
            i64.gt_s
            br_if $$full
            local.get $$literals
            i32.const 0
            i32.add
            local.set $$from
            i32.const 2
            local.get $count
            i32.mul
            local.set $$bytes
            local.get $$at
            local.get $$from
            i32.const 2
            local.get $$at
            local.get $$bytes
            i32.add
            call $repeat
            local.get $$at
            local.get $$bytes
            i32.add
            local.set $$at
          end
          local.get $$start0
          local.set $at
          local.get $$data0
          local.get $at
          i32.add
          local.set $$place
          local.get $$data0
          local.get $$stop0
          i32.add
          local.set $$last
          local.get $$place
          local.get $$last
          i32.lt_s
          if $$
            local.get $$limit
            local.get $$at
            i32.sub
            local.get $$last
            local.get $$place
            i32.sub
            i32.lt_s
            br_if $$full
            loop $$map
              local.get $$place
              v128.load align=1
              local.set $$bytes16
              local.get $$at
              local.get $$bytes16
              local.get $$byte224
              i8x16.add
              local.get $$bytes16
              local.get $$bytes16
              local.get $$byte97
              i8x16.sub
              local.get $$byte25
              i8x16.le_u
              v128.bitselect
              v128.store align=1
              local.get $$at
              i32.const 16
              i32.add
              local.set $$at
              local.get $$place
              i32.const 16
              i32.add
              local.set $$place
              local.get $$place
              local.get $$last
              i32.lt_s
              br_if $$map
            end
            local.get $$place
            local.get $$last
            i32.sub
            local.tee $$mask
            i32.const 0
            local.get $$mask
            i32.const 0
            i32.gt_s
            select
            local.set $$mask
            local.get $$at
            local.get $$mask
            i32.sub
            local.set $$at
            local.get $$place
            local.get $$mask
            i32.sub
            local.get $$data0
            i32.sub
            local.set $at
          end
          local.get $arg
          i32.const 31
          i32.and
          local.set $count_2
          block $$repeat
            i32.const 1
            i32.const 0
            i32.le_s
            br_if $$repeat
            local.get $count_2
            i32.const 0
            i32.le_s
            br_if $$repeat
            local.get $count_2
            local.get $$limit
            local.get $$at
            i32.sub
            i32.gt_s
            br_if $$full
            local.get $$literals
            i32.const 2
            i32.add
            local.set $$from
            local.get $count_2
            local.set $$bytes
            local.get $$bytes
            i32.const 32
            i32.le_s
            if $$
              local.get $$at
              local.get $$at
              local.get $$from
              i32.load8_u align=1
              i8x16.splat
              local.tee $$word
              v128.store align=1
              local.get $$word
              v128.store offset=16 align=1
            else
              local.get $$at
              local.get $$from
              i32.const 1
              local.get $$at
              local.get $$bytes
              i32.add
              call $repeat
            end
            local.get $$at
            local.get $$bytes
            i32.add
            local.set $$at
          end
        end
        local.get $$offsets
        local.get $$row
        i32.const 2
        i32.shl
        i32.add
        local.get $$at
        local.tee $$begin
        local.get $$shift
        i32.add
        i32.store offset=4 align=1
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
  (func $copy (param $to i32) (param $from i32) (param $size i32)
    (local $end i32)
    local.get $size
    i32.const 512
    i32.ge_s
    if $bulk
      local.get $to
      local.get $from
      local.get $size
      memory.copy
      return
    end
    local.get $to
    local.get $size
    i32.add
    local.set $end
    loop $words
      local.get $to
      local.get $from
      v128.load align=1
      v128.store align=1
      local.get $from
      i32.const 16
      i32.add
      local.set $from
      local.get $to
      i32.const 16
      i32.add
      local.tee $to
      local.get $end
      i32.lt_s
      br_if $words
    end
  )
  (func $repeat (param $to i32) (param $from i32) (param $size i32) (param $end i32)
    local.get $size
    i32.const 1
    i32.eq
    if $byte
      local.get $to
      local.get $from
      i32.load8_u align=1
      local.get $end
      local.get $to
      i32.sub
      memory.fill
      return
    end
    loop $texts
      local.get $to
      local.get $from
      local.get $size
      call $copy
      local.get $to
      local.get $size
      i32.add
      local.tee $to
      local.get $end
      i32.lt_s
      br_if $texts
    end
  )
)
