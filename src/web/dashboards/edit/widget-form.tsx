/** What can be set of a widget. The widget itself, on the grid, is the preview. */

import { drawings, drawingTexts } from '../../chart/drawings.ts'
import { CheckField } from '../../ui/check-field.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import type { BoardModel } from '../board-model.ts'
import type { Widget } from '../model/board.ts'
import { placesAt, withPlace } from '../model/changes.ts'
import { chartTypeOf } from '../model/chart-types.ts'
import { columnCount } from '../model/grid.ts'
import { type Json, type Path, pathKey, valueAt, withValue } from '../model/json-tree.ts'
import { type Reduction, reductionOf, reductions } from '../model/reduce.ts'
import { canMoveTo, widgetLists } from '../model/regroup.ts'
import { NumberField } from './number-field.tsx'
import { QueryFields } from './query-fields.tsx'

interface FormProps {
  readonly model: BoardModel
  readonly widget: Widget
}

export function WidgetForm(props: FormProps) {
  const { widget } = props
  const set = useSetting(props)
  const hasTitle = widget.type !== 'markdown'
  return (
    <div class="form column">
      {hasTitle && (
        <Field label="Title" value={widget.title} onChange={text => set(['title'], text)} />
      )}
      {widget.type === 'chart' && (
        <SelectField
          label="Draw as"
          value={widget.drawing}
          options={drawings.map(value => ({ value, text: drawingTexts[value] }))}
          onChange={value => set(['chartType'], chartTypeOf(value))}
        />
      )}
      {['chart', 'stat', 'gauge', 'log'].includes(widget.type) && <QueryFields {...props} />}
      {(widget.type === 'stat' || widget.type === 'gauge') && <StatFields {...props} />}
      {(widget.type === 'chart' || widget.type === 'stat' || widget.type === 'gauge') && (
        <ThresholdFields {...props} />
      )}
      {widget.type === 'log' && <LogFields {...props} />}
      {widget.type === 'markdown' && (
        <label class="field column">
          <span class="field-label strong">Text</span>
          <textarea
            class="input mono note-text"
            value={widget.content}
            onInput={event => set(['content'], event.currentTarget.value)}
          />
          <span class="small soft">Markdown: headings, lists, **strong**, `code`, [links](…)</span>
        </label>
      )}
      <GroupField {...props} />
      <PlaceFields {...props} />
    </div>
  )
}

/** Sets what lies in the widget's payload. */
function useSetting({ model, widget }: FormProps) {
  return (inner: Path, value: Json | undefined) => {
    const path = [...widget.path, widget.type, ...inner]
    model.change(withValue(model.tree.peek(), path, value), path.join('.'))
  }
}

/** Where the setting stands already, or else where it is expected. */
function settingPath({ model, widget }: FormProps, name: string, usual: Path): Path {
  const payload = valueAt(model.tree.peek(), [...widget.path, widget.type])
  const places: readonly Path[] = [
    ['displaySettings', 'globalSettings', name],
    ['displaySettings', name],
    [name],
  ]
  return places.find(path => valueAt(payload, path) !== undefined) ?? usual
}

function StatFields(props: FormProps) {
  const { widget } = props
  const set = useSetting(props)
  const setting = (name: string) =>
    settingPath(props, name, ['displaySettings', 'globalSettings', name])
  return (
    <>
      <SelectField<Reduction>
        label="Reduce to one value by"
        value={reductionOf(widget.reduction)}
        options={reductions.map(value => ({ value, text: reductionTexts[value] }))}
        onChange={value => set(['expression', 'reduceAggregation'], value)}
      />
      <Field label="Unit" value={widget.label} onChange={text => set(setting('label'), text)} />
      {widget.type === 'gauge' && (
        <div class="form-row">
          <NumberField
            label="From"
            value={widget.min}
            onChange={value => set(setting('min'), value)}
          />
          <NumberField
            label="To"
            value={widget.max}
            onChange={value => set(setting('max'), value)}
          />
        </div>
      )}
    </>
  )
}

const reductionTexts: Readonly<Record<Reduction, string>> = {
  sum: 'Sum',
  avg: 'Average',
  min: 'Smallest',
  max: 'Largest',
  last: 'Last',
  first: 'First',
  median: 'Median',
}

/** One threshold of each kind; others that a client has put there stay until these are changed. */
function ThresholdFields(props: FormProps) {
  const { widget } = props
  const set = useSetting(props)
  const path = settingPath(props, 'thresholds', ['displaySettings', 'thresholds'])
  const levelOf = (tone: 'warn' | 'bad') =>
    widget.thresholds.find(threshold => threshold.tone === tone)?.value
  const change = (tone: 'warn' | 'bad', value: number | undefined) => {
    const values = { warn: levelOf('warn'), bad: levelOf('bad'), [tone]: value }
    const list = (['warn', 'bad'] as const).flatMap(one =>
      values[one] === undefined
        ? []
        : [{ value: values[one], color: one === 'warn' ? 'yellow' : 'red', label: '' }],
    )
    set(path, list.length === 0 ? undefined : list)
  }
  return (
    <div class="form-row">
      <NumberField
        label="Warning from"
        value={levelOf('warn')}
        onChange={value => change('warn', value)}
      />
      <NumberField
        label="Critical from"
        value={levelOf('bad')}
        onChange={value => change('bad', value)}
      />
    </div>
  )
}

function LogFields(props: FormProps) {
  const { widget } = props
  const set = useSetting(props)
  return (
    <>
      <Field
        label="Columns"
        value={widget.columns.join(', ')}
        hint="Attributes, separated by commas"
        onChange={text => {
          const names = text.split(',').map(name => name.trim())
          set(
            ['displaySettings', 'columns'],
            names.filter((name, at) => name !== '' || at > 0),
          )
        }}
      />
      <CheckField
        label="Show a search box"
        isChecked={!widget.hidesSearchBar}
        onChange={value => set(['displaySettings', 'hideSearchBar'], !value)}
      />
    </>
  )
}

/** Into a group, out of it: what dragging does, for keys and thumbs. */
function GroupField({ model, widget }: FormProps) {
  const own = pathKey(widget.path.slice(0, -1))
  const lists = widgetLists(model.tree.value).filter(
    ({ path }) => pathKey(path) === own || canMoveTo(path, widget.path),
  )
  if (lists.length < 2) return null
  return (
    <SelectField
      label="Stands"
      value={own}
      options={lists.map(({ path, group }) => ({
        value: pathKey(path),
        text: group === undefined ? 'on the dashboard' : `in the group “${group || 'Group'}”`,
      }))}
      onChange={chosen => {
        const list = lists.find(({ path }) => pathKey(path) === chosen)
        if (list !== undefined) model.moveTo(widget.path, list.path)
      }}
    />
  )
}

function PlaceFields({ model, widget }: FormProps) {
  const list = widget.path.slice(0, -1)
  const index = widget.path.at(-1) as number
  const place = placesAt(model.tree.value, list)[index]!
  const set = (change: Partial<typeof place>) =>
    model.change(
      withPlace(model.tree.peek(), list, index, { ...place, ...change }),
      `place ${widget.path.join('/')}`,
    )
  return (
    <fieldset class="form-row form-place">
      <legend>Position on the grid</legend>
      <NumberField
        label="Column"
        value={place.x + 1}
        min={1}
        max={columnCount}
        onChange={(x = 1) => set({ x: x - 1 })}
      />
      <NumberField
        label="Row"
        value={place.y + 1}
        min={1}
        onChange={(y = 1) => set({ y: y - 1 })}
      />
      <NumberField
        label="Wide"
        value={place.w}
        min={1}
        max={columnCount}
        onChange={(w = 1) => set({ w })}
      />
      <NumberField label="High" value={place.h} min={1} onChange={(h = 1) => set({ h })} />
    </fieldset>
  )
}
