/** The fields of a rule. */

import { useMemo } from 'preact/hooks'
import { dayMs } from '../../time-units.ts'
import { listReceivers } from '../api/alerts.ts'
import { QueryBox } from '../query/query-box.tsx'
import { suggestFromRecords } from '../query/suggest.ts'
import { useRequest } from '../state/request.ts'
import { lastRange } from '../time/range.ts'
import { CheckField } from '../ui/check-field.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { tabHref } from './addresses.ts'
import type { DraftFaults, RuleDraft, Subject } from './rule-text.ts'

interface RuleFormProps {
  readonly draft: RuleDraft
  readonly faults: DraftFaults
  onChange(change: Partial<RuleDraft>): void
}

const subjects = [
  { value: 'value', text: 'a value' },
  { value: 'newPattern', text: 'new kinds' },
] as const

const operators = [
  { value: '>', text: 'above' },
  { value: '>=', text: 'at least' },
  { value: '<', text: 'below' },
  { value: '<=', text: 'at most' },
  { value: '==', text: 'equal to' },
  { value: '!=', text: 'other than' },
] as const

const withoutData = [
  { value: 'ok', text: 'ends the alert' },
  { value: 'keep', text: 'leaves it as it is' },
  { value: 'alert', text: 'is an alert itself' },
] as const

const suggestRange = () => {
  const endTime = Date.now()
  return { range: lastRange('1d'), startTime: endTime - dayMs, endTime }
}

/** Members that are texts of any kind. */
type TextName = {
  [Name in keyof RuleDraft]: string extends RuleDraft[Name] ? Name : never
}[keyof RuleDraft]

export function RuleForm({ draft, faults, onChange }: RuleFormProps) {
  const isOfKinds = draft.subject === 'newPattern'
  const suggest = useMemo(() => suggestFromRecords(suggestRange), [])
  const text = (name: TextName) => ({
    value: draft[name],
    error: faults[name],
    onChange: (typed: string) => onChange({ [name]: typed }),
  })
  return (
    <div class="form column alert-form">
      <Field label="Name" placeholder="Errors of checkout" {...text('name')} />
      <div class="field column">
        <span class="field-label strong">Query</span>
        <QueryBox
          label="Query of the rule"
          value={draft.query}
          suggest={suggest}
          history="alerts"
          placeholder="count by (service.name) (logs{log_level=&quot;error&quot;})"
          onInput={query => onChange({ query })}
          onRun={query => onChange({ query })}
        />
        <span class="small soft">
          {isOfKinds
            ? 'Each kind of message that is new among these is an alert of its own'
            : 'Each group is an alert of its own; records are counted'}
        </span>
      </div>
      <div class="form-row">
        <SelectField<Subject>
          label="Fires on"
          value={draft.subject}
          options={subjects}
          onChange={subject =>
            onChange({ subject, ...(subject === 'newPattern' && { op: '>', threshold: '0' }) })
          }
        />
        {isOfKinds && (
          <Field label="None of it for" hint="Before; such as 7d" {...text('within')} />
        )}
      </div>
      <div class="form-row">
        <SelectField
          label={isOfKinds ? 'When its count is' : 'Fires when it is'}
          value={draft.op}
          options={operators}
          onChange={op => onChange({ op })}
        />
        <Field label="Value" {...text('threshold')} />
      </div>
      <div class="form-row">
        <Field label="Over the last" hint="Such as 5m" {...text('window')} />
        <Field label="For at least" hint="0s: at once" {...text('for')} />
        <Field label="Every" {...text('every')} />
      </div>
      <div class="form-row">
        <SelectField
          label="No value at all"
          value={draft.noData}
          options={withoutData}
          onChange={noData => onChange({ noData })}
        />
        <Field
          label="Looks after"
          hint="Later events count in later windows only"
          {...text('delay')}
        />
      </div>
      <Field
        label="Labels"
        placeholder="severity=page, team=core"
        hint="Beside those of the group"
        {...text('labels')}
      />
      <Field
        label="Message"
        hint={
          '{{name}}, {{value}}, {{count}}, {{link}} and {{labels.NAME}} stand for what they say'
        }
        {...text('message')}
      />
      <ReceiverChoice chosen={draft.receivers} onChange={receivers => onChange({ receivers })} />
      <CheckField
        label="Is evaluated"
        isChecked={draft.isEnabled}
        onChange={isEnabled => onChange({ isEnabled })}
      />
    </div>
  )
}

interface ReceiverChoiceProps {
  readonly chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

function ReceiverChoice({ chosen, onChange }: ReceiverChoiceProps) {
  const found = useRequest('receivers', listReceivers)
  const receivers = found.answer ?? []
  return (
    <fieldset class="field column alert-receivers">
      <legend class="field-label strong">Who is told</legend>
      {receivers.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          isChecked={chosen.includes(id)}
          onChange={is => onChange(is ? [...chosen, id] : chosen.filter(one => one !== id))}
        />
      ))}
      {found.answer?.length === 0 && (
        <span class="small soft">
          Nobody yet: admins add <a href={tabHref('receivers')}>receivers</a>
        </span>
      )}
    </fieldset>
  )
}
