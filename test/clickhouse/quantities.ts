/** Durations and sizes of every form, sums of parts that another order would round otherwise, and what is none. */
export const hostileQuantities: readonly string[] = [
  ...['0', '-0', '-0s', '+1h2m3.5s', '-1.5h', '1µs', '1μs5ns', '1ms', '.5h', '5.m', '1d', '1w1y'],
  ...['0.1s0.2s0.3s', '1y1ns1ns1ns', '1s1y', '1 s', '1e3s', '1S', '1h30', '1h 3m', 's', '--1s'],
  ...[
    '1KiB',
    '2ib',
    '2b',
    '5 B',
    ' 7 ',
    '1\u00a0MB',
    '\u20035k',
    '\ufeff6',
    '1\u212aB',
    '8kıB',
    '1h\n',
  ],
  ...['1.9b', '1EiB', '3 k b', '3k b', '-1KB', '1_000', '\v4\v', `${'9'.repeat(400)}s`],
  `${'9'.repeat(400)}kb`,
]
