;; replace, ASCII, no nulls
(module
  (import "host" "memory" (memory 1))
  (func $run (export "run") (param $$row i32) (param $$rows i32) (param $$result i32) (param $$capacity i32) (param $$offsets i32) (param $$base i32) (param $$validity i32) (param $$scratch i32) (param $$offsets0 i32) (param $$data0 i32) (result i32 i32 i32)
    (local $$nulls i32)
    (local $$at i32)
    (local $$limit i32)
    (local $$begin i32)
    (local $$shift i32)
    (local $$start0 i32)
    (local $$stop0 i32)
    (local $$next0 i32)
    (local $operand i32)
    (local $at i32)
    (local $$place i32)
    (local $$last i32)
    (local $$mask i32)
    (local $$candidate i32)
    (local $$word0 v128)
    (local $$word1 v128)
    (local $$byte45 v128)
    (local $find i32)
    (local $from i32)
    (local $at_2 i32)
    (local $upper i32)
    (local $low i32)
    (local $upper_2 i32)
    (local $high i32)
    (local $$from i32)
    (local $$bytes i32)
    (local $$to i32)
    (local $$end i32)
    (local $from_2 i32)
    (local $operand_2 i32)
    (local $operand_3 i32)
    (local $at_3 i32)
    (local $find_2 i32)
    (local $upper_3 i32)
    (local $low_2 i32)
    v128.const i8x16 45 45 45 45 45 45 45 45 45 45 45 45 45 45 45 45
    local.set $$byte45
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
          local.get $$stop0
          local.get $$start0
          i32.sub
          i32.const 1
          i32.add
          local.set $operand
          local.get $$start0
          local.set $at
          local.get $$data0
          local.get $at
          i32.add
          local.set $$place
          local.get $$data0
          local.get $$stop0
          i32.const -1
          i32.add
          i32.add
          local.set $$last
          local.get $$place
          v128.load align=1
          local.set $$word0
          local.get $$place
          v128.load offset=16 align=1
          local.set $$word1
          local.get $$word0
          local.get $$byte45
          i8x16.eq
          i8x16.bitmask
          local.get $$word1
          local.get $$byte45
          i8x16.eq
          i8x16.bitmask
          i32.const 16
          i32.shl
          i32.or
          local.set $$mask
          local.get $$last
          local.get $$place
          i32.sub
          i32.const 32
          i32.ge_s
          if $$found
            loop $$look
              local.get $$mask
              br_if $$found
              local.get $$place
              i32.const 32
              i32.add
              local.set $$place
              local.get $$place
              v128.load align=1
              local.set $$word0
              local.get $$place
              v128.load offset=16 align=1
              local.set $$word1
              local.get $$word0
              local.get $$byte45
              i8x16.eq
              i8x16.bitmask
              local.get $$word1
              local.get $$byte45
              i8x16.eq
              i8x16.bitmask
              i32.const 16
              i32.shl
              i32.or
              local.set $$mask
              local.get $$last
              local.get $$place
              i32.sub
              i32.const 32
              i32.ge_s
              br_if $$look
            end
          end
          local.get $$place
          local.get $$mask
          i32.ctz
          i32.add
          local.set $$place
          local.get $$place
          local.get $$data0
          i32.sub
          local.set $at
          local.get $at
          local.get $$start0
          i32.sub
          i32.const -1
          local.get $at
          local.get $$stop0
          i32.const -1
          i32.add
          i32.le_s
          select
          local.set $find
          i32.const 0
          local.set $from
          local.get $find
          local.set $at_2
          block $loop
            local.get $at_2
            i32.const 0
            i32.ge_s
            i32.eqz
            br_if $loop
            loop $loop$again
              block $loop$round
                local.get $from
                local.get $$stop0
                local.get $$start0
                i32.sub
                local.get $from
                local.get $$stop0
                local.get $$start0
                i32.sub
                i32.lt_s
                select
                local.set $upper
                local.get $upper
                i32.const 0
                local.get $upper
                i32.const 0
                i32.gt_s
                select
                local.set $low
                local.get $at_2
                local.get $$stop0
                local.get $$start0
                i32.sub
                local.get $at_2
                local.get $$stop0
                local.get $$start0
                i32.sub
                i32.lt_s
                select
                local.set $upper_2
                local.get $upper_2
                local.get $low
                local.get $upper_2
                local.get $low
                i32.gt_s
                select
                local.set $high
                local.get $$data0
                local.get $$start0
                local.get $low
                i32.add
                i32.add
                local.set $$from
                local.get $high
                local.get $low
                i32.sub
                local.tee $$bytes
                local.get $$limit
                local.get $$at
                i32.sub
                i32.gt_u
                br_if $$full
                local.get $$at
                local.get $$from
                v128.load align=1
                v128.store align=1
                local.get $$at
                local.get $$from
                v128.load offset=16 align=1
                v128.store offset=16 align=1
                local.get $$bytes
                i32.const 32
                i32.gt_s
                if $$
                  local.get $$at
                  local.get $$bytes
                  i32.add
                  local.set $$end
                  local.get $$at
                  i32.const 32
                  i32.add
                  local.set $$to
                  loop $$copy
                    local.get $$from
                    i32.const 16
                    i32.add
                    local.set $$from
                    local.get $$to
                    local.get $$from
                    v128.load offset=16 align=1
                    v128.store align=1
                    local.get $$to
                    i32.const 16
                    i32.add
                    local.tee $$to
                    local.get $$end
                    i32.lt_s
                    br_if $$copy
                  end
                end
                local.get $$at
                local.get $$bytes
                i32.add
                local.set $$at
                local.get $$limit
                local.get $$at
                i32.sub
                i32.const 2
                i32.lt_s
                br_if $$full
                local.get $$at
                i32.const 44
                i32.store8 align=1
                local.get $$at
                i32.const 32
                i32.store8 offset=1 align=1
                local.get $$at
                i32.const 2
                i32.add
                local.set $$at
                local.get $at_2
                i32.const 1
                i32.add
                local.set $from
                local.get $from
                local.set $from_2
                local.get $from_2
                i32.const 0
                local.get $from_2
                i32.const 0
                i32.gt_s
                select
                local.set $operand_2
                local.get $$stop0
                local.get $$start0
                i32.sub
                i32.const 1
                i32.add
                local.set $operand_3
                local.get $$start0
                local.get $operand_2
                local.get $operand_3
                local.get $operand_2
                local.get $operand_3
                i32.lt_s
                select
                i32.add
                local.set $at_3
                local.get $$data0
                local.get $at_3
                i32.add
                local.set $$place
                local.get $$data0
                local.get $$stop0
                i32.const -1
                i32.add
                i32.add
                local.set $$last
                local.get $$place
                v128.load align=1
                local.set $$word0
                local.get $$place
                v128.load offset=16 align=1
                local.set $$word1
                local.get $$word0
                local.get $$byte45
                i8x16.eq
                i8x16.bitmask
                local.get $$word1
                local.get $$byte45
                i8x16.eq
                i8x16.bitmask
                i32.const 16
                i32.shl
                i32.or
                local.set $$mask
                local.get $$last
                local.get $$place
                i32.sub
                i32.const 32
                i32.ge_s
                if $$found
                  loop $$look
                    local.get $$mask
                    br_if $$found
                    local.get $$place
                    i32.const 32
                    i32.add
                    local.set $$place
                    local.get $$place
                    v128.load align=1
                    local.set $$word0
                    local.get $$place
                    v128.load offset=16 align=1
                    local.set $$word1
                    local.get $$word0
                    local.get $$byte45
                    i8x16.eq
                    i8x16.bitmask
                    local.get $$word1
                    local.get $$byte45
                    i8x16.eq
                    i8x16.bitmask
                    i32.const 16
                    i32.shl
                    i32.or
                    local.set $$mask
                    local.get $$last
                    local.get $$place
                    i32.sub
                    i32.const 32
                    i32.ge_s
                    br_if $$look
                  end
                end
                local.get $$place
                local.get $$mask
                i32.ctz
                i32.add
                local.set $$place
                local.get $$place
                local.get $$data0
                i32.sub
                local.set $at_3
                local.get $at_3
                local.get $$start0
                i32.sub
                i32.const -1
                local.get $at_3
                local.get $$stop0
                i32.const -1
                i32.add
                i32.le_s
                select
                local.set $find_2
                local.get $find_2
                local.set $at_2
              end
              local.get $at_2
              i32.const 0
              i32.ge_s
              br_if $loop$again
            end
          end
          local.get $from
          local.get $$stop0
          local.get $$start0
          i32.sub
          local.get $from
          local.get $$stop0
          local.get $$start0
          i32.sub
          i32.lt_s
          select
          local.set $upper_3
          local.get $upper_3
          i32.const 0
          local.get $upper_3
          i32.const 0
          i32.gt_s
          select
          local.set $low_2
          local.get $$data0
          local.get $$start0
          local.get $low_2
          i32.add
          i32.add
          local.set $$from
          local.get $$stop0
          local.get $$start0
          local.get $low_2
          i32.add
          i32.sub
          local.tee $$bytes
          local.get $$limit
          local.get $$at
          i32.sub
          i32.gt_u
          br_if $$full
          local.get $$at
          local.get $$from
          v128.load align=1
          v128.store align=1
          local.get $$at
          local.get $$from
          v128.load offset=16 align=1
          v128.store offset=16 align=1
          local.get $$bytes
          i32.const 32
          i32.gt_s
          if $$
            local.get $$at
            local.get $$bytes
            i32.add
            local.set $$end
            local.get $$at
            i32.const 32
            i32.add
            local.set $$to
            loop $$copy
              local.get $$from
              i32.const 16
              i32.add
              local.set $$from
              local.get $$to
              local.get $$from
              v128.load offset=16 align=1
              v128.store align=1
              local.get $$to
              i32.const 16
              i32.add
              local.tee $$to
              local.get $$end
              i32.lt_s
              br_if $$copy
            end
          end
          local.get $$at
          local.get $$bytes
          i32.add
          local.set $$at
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
)
