/** Snippets of which one is shown, with a button that copies each of its blocks. */

import { useId } from 'preact/hooks'
import { CopyButton } from '../ui/copy-button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { Snippet } from './snippets/snippet.ts'

interface SnippetTabsProps {
  /** What there is a snippet for. */
  readonly label: string
  /** At least one. */
  readonly snippets: readonly Snippet[]
  /** The id of the one that is shown; the first where it is none's. */
  readonly chosen: string
  onChoose(id: string): void
}

export function SnippetTabs({ label, snippets, chosen, onChoose }: SnippetTabsProps) {
  const panelId = useId()
  const shown = snippets.find(({ id }) => id === chosen) ?? snippets[0]!
  return (
    <>
      <Tabs label={label} panelId={panelId} chosen={shown.id} tabs={snippets} onChoose={onChoose} />
      <div
        class="snippet column"
        id={panelId}
        role="tabpanel"
        aria-labelledby={`${panelId}-${shown.id}`}
      >
        <p>{shown.intro}</p>
        {Object.entries(shown.blocks).map(([title, text]) => (
          <CodeBlock key={title} title={title} text={text} />
        ))}
      </div>
    </>
  )
}

function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="code-block">
      <figcaption class="line apart soft small">
        <span>{title}</span>
        <CopyButton text={text} label="Copy" hasText isSmall />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  )
}
