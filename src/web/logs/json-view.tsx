/** JSON with colours, whose objects and lists fold and unfold. */

import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import type { FoundJson, JsonMember, JsonNode } from './json-text.ts'
import { LongText } from './record-text.tsx'

interface JsonViewProps extends FoundJson {
  readonly sought?: RegExp | undefined
}

/** Unfolded at first down to here, and where there is little. */
const openDepth = 1
const openMembersMax = 20
/** Members shown before one asks for all. */
const shownMax = 100

export function JsonView({ before, node, sought }: JsonViewProps) {
  return (
    <div class="json mono">
      {before.trim() !== '' && (
        <p class="json-before">
          <LongText text={before.trim()} sought={sought} />
        </p>
      )}
      <Nested node={node} depth={0} sought={sought} />
    </div>
  )
}

interface NodeProps {
  readonly node: JsonNode
  readonly depth: number
  readonly sought: RegExp | undefined
  readonly name?: string | undefined
}

function Nested({ node, depth, sought, name }: NodeProps) {
  const [isWhole, setWhole] = useState(false)
  if (!('members' in node)) return <Scalar node={node} name={name} sought={sought} />
  const { kind, members } = node
  const [open, close] = kind === 'object' ? ['{', '}'] : ['[', ']']
  const shown = isWhole ? members : members.slice(0, shownMax)
  const isOpen = depth < openDepth || (depth === openDepth && members.length <= openMembersMax)
  return (
    <details class="json-node" open={isOpen}>
      <summary>
        <Key name={name} />
        {open}
        <span class="json-folded faint">
          {summaryOf(members)}
          {close}
        </span>
      </summary>
      <ul>
        {shown.map((member, at) => (
          <li key={at}>
            <Nested node={member.value} depth={depth + 1} sought={sought} name={member.key} />
          </li>
        ))}
      </ul>
      {shown.length < members.length && (
        <Button isSmall kind="outline" onClick={() => setWhole(true)}>
          Show all {members.length}
        </Button>
      )}
      {close}
    </details>
  )
}

/** Colours of a value, as in a query. */
const syntaxOf = { text: 'string', number: 'number', word: 'operation' } as const

function Scalar({ node, name, sought }: Omit<NodeProps, 'depth'>) {
  if ('members' in node) return null
  return (
    <>
      <Key name={name} />
      <span class={`syntax-${syntaxOf[node.kind]}`}>
        {node.kind === 'text' ? '"' : ''}
        <LongText text={node.text} sought={sought} hasLinks />
        {node.kind === 'text' ? '"' : ''}
      </span>
    </>
  )
}

function Key({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null
  return (
    <span class="syntax-keyword">
      <LongText text={name} />:{' '}
    </span>
  )
}

/** The first keys, or how many there are. */
function summaryOf(members: readonly JsonMember[]): string {
  const keys = members.slice(0, 3).flatMap(({ key }) => (key === undefined ? [] : key.slice(0, 20)))
  if (keys.length === 0) return ` ${members.length} `
  return ` ${keys.join(', ')}${members.length > 3 ? ', …' : ''} `
}
