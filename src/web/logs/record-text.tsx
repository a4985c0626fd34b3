/** A text out of a record, harmless whatever is in it (`shown-text.ts`); a long one is cut. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { bytesText } from '../format.ts'
import { Button } from '../ui/button.tsx'
import { isPlain, piecesOf } from './shown-text.ts'

interface RecordTextProps {
  readonly text: string
  readonly sought?: RegExp | undefined
  readonly isOneLine?: boolean
  readonly className?: string
}

export function RecordText({ text, sought, isOneLine = false, className }: RecordTextProps) {
  return (
    <bdi class={className}>
      {piecesOf(text, { sought, isOneLine }).map((piece, index) => {
        const { text, isMark, isControl, color } = piece
        const name = `${isControl ? 'text-control' : ''}${color ? ` ansi-${color}` : ''}`
        if (isMark) return <mark key={index}>{text}</mark>
        return name === '' ? (
          text
        ) : (
          <span key={index} class={name}>
            {text}
          </span>
        )
      })}
    </bdi>
  )
}

/** A text on one line of a row; without an element of its own where it needs none: there are many. */
export function lineOf(text: string, sought?: RegExp): ComponentChildren {
  const needsNone = sought === undefined && isPlain(text)
  return needsNone ? text : <RecordText text={text} sought={sought} isOneLine />
}

/** Characters shown of a value before one asks for all. */
const shownMax = 2_000

/** A whole value: what is beyond a screenful is shown when asked for. */
export function LongText(props: Omit<RecordTextProps, 'isOneLine' | 'className'>) {
  const [isWhole, setWhole] = useState(false)
  const { text } = props
  if (isWhole || text.length <= shownMax) return <RecordText {...props} />
  return (
    <>
      <RecordText {...props} text={text.slice(0, shownMax)} />…{' '}
      <Button isSmall kind="outline" onClick={() => setWhole(true)}>
        Show all ({bytesText(text.length)})
      </Button>
    </>
  )
}
