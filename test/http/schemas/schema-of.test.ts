import t from 'tap'
import { Type } from 'typebox'
import { schemaOf } from '../../../src/http/schemas/schema-of.ts'

interface Answer {
  readonly text: string
  readonly optional?: number
  readonly undefinable: number | undefined
  readonly list: readonly { readonly word: 'p' | 'q' }[]
  readonly texts: Readonly<Record<string, string>>
  readonly nullable: { readonly a: string } | null
}

const fields = {
  text: Type.String(),
  optional: Type.Optional(Type.Number()),
  undefinable: Type.Optional(Type.Integer()),
  list: Type.Array(Type.Object({ word: Type.Enum(['p', 'q']) })),
  texts: Type.Record(Type.String(), Type.String()),
  nullable: Type.Union([Type.Object({ a: Type.String() }), Type.Null()]),
}

t.test('a schema that describes the type is given back', async t => {
  const schema = Type.Object(fields)
  t.equal(schemaOf<Answer>()(schema), schema)
})

t.test('a schema of another type does not compile', async t => {
  const { text: _, ...fewer } = fields
  const otherWord = Type.Object({ word: Type.String() })
  const moreInside = Type.Object({ word: Type.Enum(['p', 'q']), more: Type.Optional(Type.Null()) })

  // @ts-expect-error: a field too few.
  schemaOf<Answer>()(Type.Object(fewer))
  // @ts-expect-error: a field too many, though it may be missing.
  schemaOf<Answer>()(Type.Object({ ...fields, more: Type.Optional(Type.String()) }))
  // @ts-expect-error: another type.
  schemaOf<Answer>()(Type.Object({ ...fields, text: Type.Number() }))
  // @ts-expect-error: not optional.
  schemaOf<Answer>()(Type.Object({ ...fields, undefinable: Type.Integer() }))
  // @ts-expect-error: optional.
  schemaOf<Answer>()(Type.Object({ ...fields, text: Type.Optional(Type.String()) }))
  // @ts-expect-error: more words inside.
  schemaOf<Answer>()(Type.Object({ ...fields, list: Type.Array(otherWord) }))
  // @ts-expect-error: a field too many inside.
  schemaOf<Answer>()(Type.Object({ ...fields, list: Type.Array(moreInside) }))
  // @ts-expect-error: other values.
  schemaOf<Answer>()(Type.Object({ ...fields, texts: Type.Record(Type.String(), Type.Number()) }))
  t.pass('the compiler has checked the lines above')
})
