/** Bodies without an end in sight: how many there are at once, and what they hold together. */

import { BodyClaim, BodyMemory, overloaded } from '../../ingest/body-memory.ts'
import { limits } from '../../limits.ts'

/** Seconds after which another one may try: others end rarely. */
const retrySeconds = 30

export class StreamedBodies {
  readonly #memory = new BodyMemory(limits.streamedBodiesHoldBytesMax)
  #count = 0

  /** Room for another one, to be ended once. Throws `ingest_overloaded` when there are too many. */
  enter(): BodyPlace {
    if (this.#count >= limits.streamedBodiesMax) {
      const detail = `there are ${limits.streamedBodiesMax} bodies of this kind already`
      throw overloaded(detail, retrySeconds)
    }
    this.#count += 1
    const claim = new BodyClaim(this.#memory)
    return {
      claim,
      end: () => {
        this.#count -= 1
        claim.end()
      },
    }
  }
}

export interface BodyPlace {
  /** For what has come and is not dealt with. */
  readonly claim: BodyClaim
  end(): void
}
