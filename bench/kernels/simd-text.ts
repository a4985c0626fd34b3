/**
 * The inner loops of a scan over one block in WebAssembly with SIMD, as text; each takes what lies at 0 (and
 * at 262,144, if it takes two), and leaves what it makes at 524,288. Lengths are multiples of 16.
 */
export const simdText = `(module
  (memory (export "memory") 32)
  (func (export "equal") (param $n i32) (param $wanted i32)
    (local $i i32) (local $w v128)
    (local.set $w (i8x16.splat (local.get $wanted)))
    (loop $next
      (v128.store offset=524288 (local.get $i)
        (v128.or (v128.load offset=524288 (local.get $i))
          (v128.and (v128.const i32x4 0x01010101 0x01010101 0x01010101 0x01010101)
            (i8x16.eq (v128.load (local.get $i)) (local.get $w)))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16)))
        (local.get $n)))))
  (func (export "within") (param $n i32) (param $least i32) (param $greatest i32) (result i32)
    (local $i i32) (local $end i32) (local $l v128) (local $g v128) (local $v v128) (local $sum v128)
    (local.set $l (i16x8.splat (local.get $least)))
    (local.set $g (i16x8.splat (local.get $greatest)))
    (local.set $end (i32.shl (local.get $n) (i32.const 1)))
    (loop $next
      (local.set $v (v128.load (local.get $i)))
      (local.set $v (v128.and (i16x8.ge_u (local.get $v) (local.get $l))
        (i16x8.le_u (local.get $v) (local.get $g))))
      (local.set $sum (i32x4.sub (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (local.get $v))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16)))
        (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
  (func (export "groups") (param $n i32)
    (local $i i32) (local $at i32)
    (loop $next
      (local.set $at (i32.shl (i32.load8_u (local.get $i)) (i32.const 2)))
      (i32.store offset=524288 (local.get $at)
        (i32.add (i32.load offset=524288 (local.get $at))
          (i32.load8_u offset=262144 (local.get $i))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
        (local.get $n)))))
  (func (export "unpack") (param $n i32)
    (local $i i32) (local $low v128) (local $high v128)
    (loop $next
      (local.set $low (v128.load (local.get $i)))
      (local.set $high (v128.load offset=262144 (local.get $i)))
      (v128.store offset=524288 (i32.shl (local.get $i) (i32.const 1))
        (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23
          (local.get $low) (local.get $high)))
      (v128.store offset=524304 (i32.shl (local.get $i) (i32.const 1))
        (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31
          (local.get $low) (local.get $high)))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16)))
        (local.get $n)))))
  (func (export "histogram") (param $n i32) (param $step i32)
    (local $i i32) (local $end i32) (local $at i32)
    (local.set $end (i32.shl (local.get $n) (i32.const 2)))
    (loop $next
      (local.set $at (i32.shl (i32.div_u (i32.load (local.get $i)) (local.get $step))
        (i32.const 2)))
      (i32.store offset=524288 (local.get $at)
        (i32.add (i32.load offset=524288 (local.get $at)) (i32.const 1)))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4)))
        (local.get $end)))))
  (func (export "quantile") (param $n i32)
    (local $i i32) (local $end i32) (local $at i32) (local $count i32)
    (local.set $end (i32.shl (local.get $n) (i32.const 1)))
    (loop $next
      (local.set $at (i32.load16_u (local.get $i)))
      (local.set $count (i32.add (i32.load8_u offset=524288 (local.get $at)) (i32.const 1)))
      (i32.store8 offset=524288 (local.get $at) (local.get $count))
      (if (i32.eq (local.get $count) (i32.const 256)) (then
        (local.set $at (i32.shl (local.get $at) (i32.const 2)))
        (i32.store offset=786432 (local.get $at)
          (i32.add (i32.load offset=786432 (local.get $at)) (i32.const 1)))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 2)))
        (local.get $end)))))
  (func (export "find") (param $n i32) (param $length i32) (result i32)
    (local $i i32) (local $j i32) (local $bits i32) (local $at i32)
    (local $first v128) (local $last v128) (local $lastAt i32)
    (local.set $lastAt (i32.sub (local.get $length) (i32.const 1)))
    (local.set $first (i8x16.splat (i32.load8_u offset=524288 (i32.const 0))))
    (local.set $last (i8x16.splat (i32.load8_u offset=524288 (local.get $lastAt))))
    (loop $next
      (local.set $bits (i8x16.bitmask (v128.and
        (i8x16.eq (v128.load (local.get $i)) (local.get $first))
        (i8x16.eq (v128.load (i32.add (local.get $i) (local.get $lastAt))) (local.get $last)))))
      (if (local.get $bits) (then (loop $candidate
        (local.set $at (i32.add (local.get $i) (i32.ctz (local.get $bits))))
        (local.set $j (i32.const 0))
        (block $differs (loop $same
          (br_if $differs (i32.ne (i32.load8_u (i32.add (local.get $at) (local.get $j)))
            (i32.load8_u offset=524288 (local.get $j))))
          (br_if $same (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 1)))
            (local.get $length)))
          (return (local.get $at))))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (br_if $candidate (local.get $bits)))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16)))
        (local.get $n))))
    (i32.const -1))
)`
