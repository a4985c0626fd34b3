/** Where the parts of a selector stand in the text of its query: for whoever changes that text. */

/** In UTF-16 code units, with the white space behind; `to` is the first that is not in it. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** Of a selector with alternatives, all but the stages is of the first. */
export interface SelectorPlaces extends Place {
  /** Undefined for `logs` without braces. */
  readonly braces: Place | undefined
  /** In the order of the tree's. */
  readonly matchers: readonly Place[]
  readonly filters: readonly Place[]
  /** Each of one or more texts. */
  readonly searches: readonly Place[]
  /** Those behind an `unwrap` lie behind `to`. */
  readonly stages: readonly Place[]
}
