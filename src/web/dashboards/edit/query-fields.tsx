/**
 * The queries of a widget: written in the box of the log viewer, and drawn as soon as they are run or
 * left.
 */

import { useMemo, useRef, useState } from 'preact/hooks'
import { ApiProblem } from '../../api/problem.ts'
import { QueryBox } from '../../query/query-box.tsx'
import { suggestFromRecords } from '../../query/suggest.ts'
import { rangeOf } from '../../time/range.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { type BoardModel, queryKey } from '../board-model.ts'
import { queryPath, type Widget, type WidgetQuery } from '../model/board.ts'
import { isObject, type Json, type Path, valueAt, withValue } from '../model/json-tree.ts'
import { narrowed, useShown } from '../shown.ts'
import { PanelError } from '../widgets/panel-states.tsx'
import { NumberField } from './number-field.tsx'

interface QueryFieldsProps {
  readonly model: BoardModel
  readonly widget: Widget
}

export function QueryFields({ model, widget }: QueryFieldsProps) {
  const queries =
    widget.queries.length === 0 ? [{ query: '', bucketSeconds: 0, label: '' }] : widget.queries
  const canHaveSeveral = widget.type === 'chart'
  const add = () => {
    const path = queryPath(model.tree.peek(), widget, widget.queries.length)
    const query = widget.queries.at(-1)?.query ?? 'count(logs)'
    const label = `query ${widget.queries.length + 1}`
    model.change(
      withValue(model.tree.peek(), path, { query, bucketSize: 0, displaySettings: { label } }),
    )
  }
  return (
    <>
      {queries.map((query, at) => (
        <QueryPart key={at} model={model} widget={widget} query={query} index={at} />
      ))}
      {canHaveSeveral && (
        <Button isSmall kind="outline" icon="plus" onClick={add}>
          Add a query
        </Button>
      )}
    </>
  )
}

interface QueryPartProps extends QueryFieldsProps {
  readonly query: WidgetQuery
  readonly index: number
}

function QueryPart({ model, widget, query, index }: QueryPartProps) {
  const shown = useShown()
  const latest = useRef(shown)
  latest.current = shown
  const suggest = useMemo(
    () =>
      suggestFromRecords(
        () => ({ ...latest.current.times, range: rangeOf(latest.current.times) }),
        (records = 'logs') => narrowed(records, latest.current),
      ),
    [],
  )
  const [written, setWritten] = useState(query.query)
  const path = queryPath(model.tree.value, widget, index)
  const change = (inner: Path, value: Json | undefined) => {
    const tree = model.tree.peek()
    // A query may be a text by itself; then it becomes an object around it.
    const own = valueAt(tree, path)
    const rooted = isObject(own)
      ? tree
      : withValue(tree, path, { query: query.query, bucketSize: 0 })
    model.change(withValue(rooted, [...path, ...inner], value), [...path, ...inner].join('.'))
  }
  const take = (text: string) => {
    if (text !== query.query) change(['query'], text)
  }
  const failure = model.failures.value.get(queryKey(widget.path, index))
  const isNarrowed = narrowed(query.query, shown) !== query.query
  // Positions are those of the query that was asked.
  const isPlaced = failure instanceof ApiProblem && failure.position !== undefined && !isNarrowed
  const name = widget.queries.length > 1 ? `Query ${index + 1}` : 'Query'
  return (
    <div class="form column form-part query-part">
      <fieldset class="field column" onFocusOut={() => take(written)} onKeyDown={keepUndo}>
        <legend class="field-label strong">{name}</legend>
        <QueryBox
          label={name}
          value={query.query}
          suggest={suggest}
          problem={isPlaced ? failure : undefined}
          history="widgets"
          placeholder="count by (log_level) (logs)"
          onInput={setWritten}
          onRun={take}
        />
        <span class="small soft">Enter runs it</span>
        {failure !== undefined && !isPlaced && <PanelError error={failure} query={query.query} />}
      </fieldset>
      {widget.type === 'chart' && (
        <Field
          label="Name in the legend"
          value={query.label}
          onChange={text => change(['displaySettings', 'label'], text)}
        />
      )}
      {widget.type !== 'log' && (
        <NumberField
          label="Width of a bucket in seconds (0: automatic)"
          value={query.bucketSeconds}
          min={0}
          onChange={(value = 0) => change(['bucketSize'], Math.max(0, value))}
        />
      )}
      {widget.queries.length > 1 && (
        <Button
          isSmall
          icon="trash"
          onClick={() => model.change(withValue(model.tree.peek(), path, undefined))}
        >
          Remove {name.toLowerCase()}
        </Button>
      )}
    </div>
  )
}

/** In the box Undo is about what is typed there, as in any other; the dashboard's is not meant. */
function keepUndo(event: KeyboardEvent): void {
  const isMod = event.ctrlKey || event.metaKey
  if (isMod && event.key.toLowerCase() === 'z') event.stopPropagation()
}
