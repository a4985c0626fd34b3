/** Entries of systemd's Journal Export Format. */

/** A field in the form that any value may have. */
export function binaryField(name: string, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(bytes.length))
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')])
}

/** A message, and further fields. */
export function entryOf(message: string, ...fields: readonly (string | Uint8Array)[]): Buffer {
  const all = [`MESSAGE=${message}\n`, ...fields, '\n']
  return Buffer.concat(all.map(field => Buffer.from(field as string)))
}
