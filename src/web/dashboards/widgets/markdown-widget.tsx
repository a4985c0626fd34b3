/** A note: the tree of its Markdown as elements. */

import { useMemo } from 'preact/hooks'
import { type Block, type Inline, parseMarkdown } from '../model/markdown.ts'

export function MarkdownWidget({ content }: { readonly content: string }) {
  const blocks = useMemo(() => parseMarkdown(content), [content])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section class="markdown fill" aria-label="Note" tabIndex={0}>
      <Blocks blocks={blocks} />
    </section>
  )
}

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  // What stands where in a text is all the identity that its parts have.
  return <>{blocks.map((block, at) => drawBlock(block, at))}</>
}

function drawBlock(block: Block, key: number) {
  switch (block.kind) {
    case 'heading': {
      // The page has its h1, the widget's frame h2.
      const Heading = block.level <= 1 ? 'h2' : block.level === 2 ? 'h3' : 'h4'
      return <Heading key={key}>{drawInlines(block.inner)}</Heading>
    }
    case 'paragraph':
      return <p key={key}>{drawInlines(block.inner)}</p>
    case 'list': {
      const List = block.isNumbered ? 'ol' : 'ul'
      return <List key={key}>{block.items.map((item, at) => drawItem(item, at))}</List>
    }
    case 'quote':
      return (
        <blockquote key={key}>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'code':
      return <pre key={key}>{block.text}</pre>
    case 'rule':
      return <hr key={key} />
  }
}

function drawItem(item: readonly Inline[], key: number) {
  return <li key={key}>{drawInlines(item)}</li>
}

function drawInlines(inlines: readonly Inline[]) {
  return inlines.map((inline, at) => drawInline(inline, at))
}

function drawInline(inline: Inline, key: number) {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code key={key}>{inline.text}</code>
    case 'strong':
      return <strong key={key}>{drawInlines(inline.inner)}</strong>
    case 'emphasis':
      return <em key={key}>{drawInlines(inline.inner)}</em>
    case 'link':
      return (
        <a key={key} href={inline.to} rel="noreferrer noopener">
          {drawInlines(inline.inner)}
        </a>
      )
  }
}
