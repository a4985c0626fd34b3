/** Whether the next event is worth an attempt, where those before it went the plain way. */

/** After this many in a row that had to, only some of the next are tried. */
const missesMax = 16
const triedOneIn = 16

export class Attempts {
  #misses = 0

  isDue(): boolean {
    return this.#misses < missesMax || ++this.#misses % triedOneIn === 0
  }

  /** Notes how an attempt ended, and returns that. */
  note(isRead: boolean): boolean {
    this.#misses = isRead ? 0 : this.#misses + 1
    return isRead
  }
}
