/** A whole number of ours as a statement has it; throws for what is none. */
export function whole(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`no whole number: ${value}`)
  return String(value)
}
