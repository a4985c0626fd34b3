/** The package has no types of its own: what our tests use of it. */
declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array
}
