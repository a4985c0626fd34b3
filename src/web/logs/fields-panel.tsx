/**
 * The fields of what matches: the most useful with their top values at once, any other when it is
 * searched for. A panel at the left; on a narrow screen a sheet.
 */

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { type Facet, queryFacets, queryFields, queryLogs } from '../api/records.ts'
import { compactText } from '../format.ts'
import { askedLabels, boundsOf } from '../query/edit.ts'
import { selectorsOf } from '../query/selectors.ts'
import { useAskingAgain, useRequest } from '../state/request.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { explain, Progress } from '../ui/states.tsx'
import { FacetValues } from './facet-values.tsx'
import { measuresIn } from './measures.ts'
import { isBuiltIn } from './record-fields.ts'
import { columns, isLive, liveMs, narrowedToOne, query, timesNow, toggleColumn } from './shown.ts'
import { TopValues } from './top-values.tsx'

/** Of the newest records is looked which fields are measures. */
const sampleMax = 100

/** Facets that are folded; kept while the page is. */
const folded = signal<ReadonlySet<string>>(new Set())

/** @param asked Changes when the query does; undefined: nothing is asked. */
export function FieldsPanel({ asked }: { readonly asked: string | undefined }) {
  const [search, setSearch] = useState('')
  const facets = useRequest(asked, signal =>
    queryFacets({ query: narrowedToOne(), ...timesNow(), limit: 8 }, signal),
  )
  const sample = useRequest(asked, signal =>
    queryLogs({ query: narrowedToOne(), ...timesNow(), order: 'desc', limit: sampleMax }, signal),
  )
  const isSearching = search.trim() !== ''
  const fields = useRequest(isSearching ? asked : undefined, signal =>
    queryFields({ query: narrowedToOne(), ...timesNow() }, signal),
  )
  const busy = isSearching ? fields : facets
  useAskingAgain(facets, isLive.value && !isSearching ? liveMs : undefined)
  const selectors = selectorsOf(query.value)
  // A mistake in the query is marked where it is.
  const isMarked = busy.error instanceof ApiProblem && busy.error.position !== undefined
  return (
    <div class="fields column fill">
      <div class="fields-search line faint">
        <Icon name="search" />
        <input
          class="fields-input grows"
          type="search"
          placeholder="Fields"
          aria-label="Find a field"
          spellcheck={false}
          value={search}
          onInput={event => setSearch(event.currentTarget.value)}
        />
      </div>
      <div class="fields-list">
        <Progress isBusy={busy.isBusy} text="Counting values" onCancel={busy.cancel} />
        {busy.error !== undefined && !isMarked && (
          <p class="facet-note soft small">{explain(busy.error).detail}</p>
        )}
        {selectors.length > 1 && (
          <p class="facet-note faint small" title={selectors[0]}>
            Of the first of {selectors.length} selectors
          </p>
        )}
        {isSearching ? (
          <FoundFields search={search.trim()} fields={fields.answer?.fields} />
        ) : (
          <Facets
            asked={asked}
            facets={sample.settled === undefined ? undefined : facets.answer?.facets}
            measures={measuresIn(sample.answer?.logs ?? [])}
          />
        )}
      </div>
    </div>
  )
}

interface FacetsProps {
  readonly asked: string | undefined
  readonly facets: readonly Facet[] | undefined
  /** Fields with numbers that are shown as such. */
  readonly measures: readonly string[]
}

/** Of fields of which the query asks something, all values are shown: another one may be chosen, too. */
function Facets({ asked, facets, measures }: FacetsProps) {
  if (facets === undefined) return null
  const own = askedLabels(query.value)
  const named = facets.map(({ field }) => field)
  const fields = new Set([...named.filter(isFixed), ...measures, ...named, ...own])
  return (
    <>
      {[...fields].map(field => {
        const facet = own.includes(field) ? undefined : facets.find(one => one.field === field)
        const isListed = facet !== undefined && !measures.includes(field)
        return (
          <FacetView key={field} field={field}>
            {isListed ? (
              <FacetValues facet={facet} />
            ) : (
              <TopValues
                field={field}
                asked={asked}
                isMeasured={measures.includes(field) || boundsOf(query.value, field).length > 0}
                isPlain
              />
            )}
          </FacetView>
        )
      })}
    </>
  )
}

const isFixed = (field: string) => ['log_level', 'service.name', 'environment'].includes(field)

interface FacetViewProps {
  readonly field: string
  readonly children: ComponentChildren
}

function FacetView({ field, children }: FacetViewProps) {
  const isFolded = folded.value.has(field)
  return (
    <section class="facet" aria-label={field}>
      <FieldHead
        field={field}
        isOpen={!isFolded}
        onToggle={() => {
          const next = new Set(folded.peek())
          if (!next.delete(field)) next.add(field)
          folded.value = next
        }}
      />
      {!isFolded && children}
    </section>
  )
}

function FoundFields(props: {
  readonly search: string
  readonly fields: readonly { readonly name: string; readonly count: number }[] | undefined
}) {
  const [open, setOpen] = useState('')
  const word = props.search.toLowerCase()
  const found = props.fields?.filter(({ name }) => name.toLowerCase().includes(word))
  if (found?.length === 0) return <p class="facet-note faint small">No matching field</p>
  return (
    <>
      {found?.slice(0, 100).map(({ name, count }) => (
        <section class="facet" key={name} aria-label={name}>
          <FieldHead
            field={name}
            count={count}
            isOpen={open === name}
            onToggle={() => setOpen(open === name ? '' : name)}
          />
          {open === name && <TopValues field={name} asked={query.value} isPlain />}
        </section>
      ))}
    </>
  )
}

interface FieldHeadProps {
  readonly field: string
  readonly count?: number
  readonly isOpen: boolean
  onToggle(): void
}

function FieldHead({ field, count, isOpen, onToggle }: FieldHeadProps) {
  const hasColumn = columns.value.includes(field)
  return (
    <h2 class="facet-head">
      <button type="button" class="facet-name strong" aria-expanded={isOpen} onClick={onToggle}>
        <Icon name={isOpen ? 'down' : 'right'} />
        <span class="truncate">{field}</span>
        {count !== undefined && (
          <span class="facet-count faint small at-end">{compactText(count)}</span>
        )}
      </button>
      {!isBuiltIn(field) && (
        <IconButton
          isSmall
          icon="columns"
          label={hasColumn ? `Remove the column ${field}` : `Add ${field} as a column`}
          aria-pressed={hasColumn}
          onClick={() => toggleColumn(field)}
        />
      )}
    </h2>
  )
}
