/**
 * What a protocol answers for each event of a body: JSON, separated by commas. Most answers are the same as
 * the one before; they are counted, so that no text grows piece by piece while the collector copies it.
 */
export class ItemAnswers {
  #text = ''
  #last = ''
  #count = 0

  add(answer: string): void {
    if (answer !== this.#last) {
      this.#gather()
      this.#last = answer
    }
    this.#count++
  }

  #gather(): void {
    this.#text += `,${this.#last}`.repeat(this.#count)
    this.#count = 0
  }

  /** All of them; empty when there are none. */
  text(): string {
    this.#gather()
    return this.#text.slice(1)
  }
}
