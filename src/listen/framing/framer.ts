/** How a stream of bytes is cut into messages. */

/** What a framer finds, in the order of the stream. */
export interface FrameSink {
  /** A whole message, valid until this returns. */
  frame(bytes: Buffer): void
  /** A message was beyond the limit and is left out, or was cut off by the end of the stream. */
  refused(reason: 'too_large' | 'torn'): void
}

export interface Framer {
  /** Takes what comes next. Throws UnreadableStream when nobody can tell where the next message begins. */
  push(bytes: Buffer, sink: FrameSink): void
  /** The sender has ended in order. */
  end(sink: FrameSink): void
  /** Memory that waits for the rest of a message. */
  readonly heldBytes: number
}

/** What follows in the stream cannot be understood: the connection has to end. The text is for the log. */
export class UnreadableStream extends Error {}

/** Its sender does not know the secret, and has been told. */
export class NotAuthenticated extends Error {}
