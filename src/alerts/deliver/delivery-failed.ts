/** A receiver did not take what was sent. */
export class DeliveryFailed extends Error {
  /** Whether trying the same again is of no use. */
  readonly isFinal: boolean

  constructor(
    message: string,
    { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.isFinal = isFinal
  }
}
