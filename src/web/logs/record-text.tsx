/** A text out of a record, harmless whatever is in it (`shown-text.ts`); a long one is cut. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { bytesText } from '../format.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { partsOf } from './links.ts'
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
        const name = `${isControl ? 'faint text-control' : ''}${color ? ` ansi-${color}` : ''}`
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

interface LongTextProps extends Omit<RecordTextProps, 'isOneLine' | 'className'> {
  /** Addresses of the web lead there. */
  readonly hasLinks?: boolean
}

/** A whole value: what is beyond a screenful is shown when asked for. */
export function LongText({ hasLinks = false, ...props }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  const { text } = props
  const Text = hasLinks ? LinkedText : RecordText
  if (isWhole || text.length <= shownMax) return <Text {...props} />
  return (
    <>
      <Text {...props} text={text.slice(0, shownMax)} />…{' '}
      <Button isSmall kind="outline" onClick={() => setWhole(true)}>
        Show all ({bytesText(text.length)})
      </Button>
    </>
  )
}

/** What stands at the other end knows neither where one came from nor this window. */
function LinkedText(props: RecordTextProps) {
  return (
    <>
      {partsOf(props.text).map(({ text, href }, index) =>
        href === undefined ? (
          <RecordText key={index} {...props} text={text} />
        ) : (
          <a
            key={index}
            class="record-link"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            title={href}
          >
            <RecordText {...props} text={text} />
            <Icon name="external" />
          </a>
        ),
      )}
    </>
  )
}
