/** The values that JSON writes as words. Apart from `bytes.ts`, which the page has too: it has no Buffer. */
export const words = {
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  null: Buffer.from('null'),
}
