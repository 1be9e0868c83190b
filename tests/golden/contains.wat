;; contains, ASCII, no nulls
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
    (local $$byte110 v128)
    (local $$byte101 v128)
    (local $find i32)
    (local $$bits i32)
    (local $$textStop i32)
    (local $$passed i32)
    (local $$passedFrom i32)
    v128.const i8x16 110 110 110 110 110 110 110 110 110 110 110 110 110 110 110 110
    local.set $$byte110
    v128.const i8x16 101 101 101 101 101 101 101 101 101 101 101 101 101 101 101 101
    local.set $$byte101
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
    local.get $$result
    local.get $$row
    i32.const 3
    i32.shr_u
    i32.add
    i32.load8_u align=1
    i32.const 0
    local.get $$row
    i32.const 7
    i32.and
    i32.sub
    i32.shl
    local.set $$bits
    local.get $$offsets0
    local.get $$rows
    i32.const 2
    i32.shl
    i32.add
    i32.load align=1
    local.set $$textStop
    block $$full
      loop $$next
        local.get $$row
        local.get $$rows
        i32.ge_s
        br_if $$full
        local.get $$bits
        i32.popcnt
        i32.const 2
        i32.le_u
        if $$
          local.get $$row
          i32.const 7
          i32.and
          if $$
            local.get $$result
            local.get $$row
            i32.const 3
            i32.shr_u
            i32.add
            local.get $$bits
            i32.const 0
            local.get $$row
            i32.const 7
            i32.and
            i32.sub
            i32.shr_u
            i32.store8 align=1
          end
          local.get $$row
          local.set $$passedFrom
          local.get $$next0
          local.set $$passed
          local.get $$data0
          local.get $$passed
          i32.add
          local.set $$place
          local.get $$data0
          local.get $$textStop
          i32.const -6
          i32.add
          i32.add
          local.set $$last
          block $$found
            block $$none
              loop $$look
                local.get $$place
                local.get $$last
                i32.gt_s
                br_if $$none
                local.get $$place
                v128.load align=1
                local.get $$byte110
                i8x16.eq
                local.get $$place
                v128.load offset=1 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                local.get $$place
                v128.load offset=5 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                i8x16.bitmask
                local.get $$place
                v128.load offset=16 align=1
                local.get $$byte110
                i8x16.eq
                local.get $$place
                v128.load offset=17 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                local.get $$place
                v128.load offset=21 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                i8x16.bitmask
                i32.const 16
                i32.shl
                i32.or
                local.tee $$mask
                if $$
                  loop $$each
                    local.get $$place
                    local.get $$mask
                    i32.ctz
                    i32.add
                    local.tee $$candidate
                    local.get $$last
                    i32.gt_s
                    br_if $$none
                    local.get $$candidate
                    v128.load align=1
                    v128.const i8x16 110 101 101 100 108 101 0 0 0 0 0 0 0 0 0 0
                    i8x16.eq
                    v128.const i8x16 0 0 0 0 0 0 255 255 255 255 255 255 255 255 255 255
                    v128.or
                    i8x16.all_true
                    if $$
                      local.get $$candidate
                      local.set $$place
                      br $$found
                    end
                    local.get $$mask
                    local.get $$mask
                    i32.const 1
                    i32.sub
                    i32.and
                    local.tee $$mask
                    br_if $$each
                  end
                end
                local.get $$place
                i32.const 32
                i32.add
                local.set $$place
                br $$look
              end
            end
            local.get $$last
            i32.const 1
            i32.add
            local.set $$place
          end
          local.get $$place
          local.get $$data0
          i32.sub
          local.set $$passed
          local.get $$passed
          local.get $$textStop
          i32.const -6
          i32.add
          i32.gt_s
          if $$
            local.get $$rows
            local.set $$row
            local.get $$bits
            local.get $$row
            local.get $$passedFrom
            i32.sub
            i32.shr_u
            i32.const 0
            local.get $$row
            local.get $$passedFrom
            i32.sub
            i32.const 32
            i32.lt_u
            select
            local.set $$bits
            br $$full
          end
          loop $$pass
            local.get $$offsets0
            local.get $$row
            i32.const 2
            i32.shl
            i32.add
            i32.load offset=4 align=1
            local.get $$passed
            i32.le_s
            if $$
              local.get $$row
              i32.const 1
              i32.add
              local.set $$row
              br $$pass
            end
          end
          local.get $$offsets0
          local.get $$row
          i32.const 2
          i32.shl
          i32.add
          i32.load align=1
          local.set $$next0
          local.get $$bits
          local.get $$row
          local.get $$passedFrom
          i32.sub
          i32.shr_u
          i32.const 0
          local.get $$row
          local.get $$passedFrom
          i32.sub
          i32.const 32
          i32.lt_u
          select
          local.set $$bits
        end
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
          i32.const -6
          i32.add
          i32.add
          local.set $$last
          block $$found
            block $$none
              loop $$look
                local.get $$place
                local.get $$last
                i32.gt_s
                br_if $$none
                local.get $$place
                v128.load align=1
                local.get $$byte110
                i8x16.eq
                local.get $$place
                v128.load offset=1 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                local.get $$place
                v128.load offset=5 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                i8x16.bitmask
                local.get $$place
                v128.load offset=16 align=1
                local.get $$byte110
                i8x16.eq
                local.get $$place
                v128.load offset=17 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                local.get $$place
                v128.load offset=21 align=1
                local.get $$byte101
                i8x16.eq
                v128.and
                i8x16.bitmask
                i32.const 16
                i32.shl
                i32.or
                local.tee $$mask
                if $$
                  loop $$each
                    local.get $$place
                    local.get $$mask
                    i32.ctz
                    i32.add
                    local.tee $$candidate
                    local.get $$last
                    i32.gt_s
                    br_if $$none
                    local.get $$candidate
                    v128.load align=1
                    v128.const i8x16 110 101 101 100 108 101 0 0 0 0 0 0 0 0 0 0
                    i8x16.eq
                    v128.const i8x16 0 0 0 0 0 0 255 255 255 255 255 255 255 255 255 255
                    v128.or
                    i8x16.all_true
                    if $$
                      local.get $$candidate
                      local.set $$place
                      br $$found
                    end
                    local.get $$mask
                    local.get $$mask
                    i32.const 1
                    i32.sub
                    i32.and
                    local.tee $$mask
                    br_if $$each
                  end
                end
                local.get $$place
                i32.const 32
                i32.add
                local.set $$place
                br $$look
              end
            end
            local.get $$last
            i32.const 1
            i32.add
            local.set $$place
          end
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
          i32.const -6
          i32.add
          i32.le_s
          select
          local.set $find
          local.get $$bits
          i32.const 1
          i32.shr_u
          local.get $find
          i32.const 0
          i32.ge_s
          i32.const 31
          i32.shl
          i32.or
          local.set $$bits
          local.get $$row
          i32.const 7
          i32.and
          i32.const 7
          i32.eq
          if $$
            local.get $$result
            local.get $$row
            i32.const 3
            i32.shr_u
            i32.add
            local.get $$bits
            i32.const 24
            i32.shr_u
            i32.store8 align=1
          end
        end
        local.get $$row
        i32.const 1
        i32.add
        local.set $$row
        br $$next
      end
    end
    local.get $$row
    i32.const 7
    i32.and
    if $$
      local.get $$result
      local.get $$row
      i32.const 3
      i32.shr_u
      i32.add
      local.get $$bits
      i32.const 0
      local.get $$row
      i32.const 7
      i32.and
      i32.sub
      i32.shr_u
      i32.store8 align=1
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
