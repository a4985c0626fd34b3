/** What may follow a selector: stages that filter records, read labels out of them, change them. */

import type { LineFilter, QuantityMatcher, TextMatcher } from './ast.ts'

/** A comparison of a label's text, or of the quantity that it writes. */
export type Comparison =
  | (TextMatcher & { readonly kind: 'text' })
  /** Has an address of the internet that is one of these (`match/ip-range.ts`). */
  | {
      readonly kind: 'address'
      readonly label: string
      readonly operator: '=' | '!='
      readonly value: string
    }
  | (QuantityMatcher & { readonly kind: 'quantity' })

/** What a stage asks of a record's labels. */
export type Condition =
  | Comparison
  /** Two or more, of which none is of the same kind. */
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }

/** A label, and where its value stands: `"request.headers[0]"` in JSON, or a key of logfmt. */
export interface Extraction {
  readonly label: string
  readonly path: string
}

/** A label that gets the value of another one, which goes; or what a template gives. */
export type Assignment =
  | { readonly label: string; readonly from: string }
  | { readonly label: string; readonly template: string }

export interface DistinctStage {
  readonly kind: 'distinct'
  /** One or more, none twice. A record without one of them has the empty text for it. */
  readonly labels: readonly string[]
}

export type Stage =
  | { readonly kind: 'line'; readonly filter: LineFilter }
  | { readonly kind: 'filter'; readonly condition: Condition }
  /** Without extractions, all that there is. */
  | { readonly kind: 'json'; readonly extractions: readonly Extraction[] }
  | {
      readonly kind: 'logfmt'
      readonly extractions: readonly Extraction[]
      readonly isStrict: boolean
      readonly keepsEmpty: boolean
    }
  | { readonly kind: 'regexp' | 'pattern' | 'line_format'; readonly text: string }
  | { readonly kind: 'unpack' | 'decolorize' }
  | { readonly kind: 'label_format'; readonly assignments: readonly Assignment[] }
  | { readonly kind: 'keep' | 'drop'; readonly labels: readonly (string | TextMatcher)[] }
  /** Of the records that come to it, the first in the order of the answer for each combination of values. */
  | DistinctStage
