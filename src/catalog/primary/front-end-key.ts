/** The key that a primary and its front ends share: whoever has it reads and changes all settings. */
import { timingSafeEqual } from 'node:crypto'
import { digestOf } from '../secrets/digest.ts'

export class FrontEndKey {
  readonly text: string
  readonly #digest: Buffer

  constructor(text: string) {
    this.text = text
    this.#digest = Buffer.from(digestOf(text))
  }

  /** Takes as long whatever of it is right. */
  matches(secret: string): boolean {
    return timingSafeEqual(this.#digest, Buffer.from(digestOf(secret)))
  }
}
