/** A rule: what it asks, when it fires, who is told; beside it what it would have done. */

import { useState } from 'preact/hooks'
import { deleteRule, saveRule, showRule } from '../api/alerts.ts'
import { may } from '../app/session.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { go } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState, explain, Progress } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { newQuery, newRuleId, tabHref } from './addresses.ts'
import { RuleForm } from './rule-form.tsx'
import { RulePreview } from './rule-preview.tsx'
import { draftOf, newDraft, type RuleDraft, ruleOf } from './rule-text.ts'

export function RuleEditor({ id }: { readonly id: string }) {
  const isNew = id === newRuleId
  const found = useRequest(isNew ? undefined : id, signal => showRule(id, signal))
  if (isNew) {
    const query = newQuery.value || newDraft.query
    return <Editor id={undefined} first={{ ...newDraft, query }} />
  }
  if (found.answer !== undefined) return <Editor id={id} first={draftOf(found.answer)} />
  if (found.error !== undefined) return <ErrorState error={found.error} onRetry={found.refresh} />
  return <Progress isBusy text="Reading the rule" />
}

interface EditorProps {
  /** Undefined for one that is not there yet. */
  readonly id: string | undefined
  readonly first: RuleDraft
}

function Editor({ id, first }: EditorProps) {
  const [draft, setDraft] = useState(first)
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const [isLeaving, setLeaving] = useState(false)
  const read = ruleOf(draft)
  const isEditor = may('editor')
  const save = async () => {
    if ('faults' in read) return
    setSaving(true)
    setError(undefined)
    try {
      await saveRule({ ...(id !== undefined && { id }), ...read.rule })
      toast(`“${read.rule.name}” is saved.`)
      go(tabHref('rules'))
    } catch (reason) {
      setError(reason)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <header class="page-header line apart wraps">
        <div>
          <a class="soft" href={tabHref('rules')}>
            Alerts
          </a>
          <h1>{id === undefined ? 'New rule' : first.name}</h1>
        </div>
        {isEditor && (
          <div class="line">
            {id !== undefined && (
              <Button icon="trash" onClick={() => setLeaving(true)}>
                Delete
              </Button>
            )}
            <Button
              kind="primary"
              disabled={isSaving || 'faults' in read}
              onClick={() => void save()}
            >
              Save
            </Button>
          </div>
        )}
      </header>
      <div role="alert">
        {error !== undefined && <p class="tone-bad">{explain(error).detail}</p>}
      </div>
      <div class="alert-editor">
        <RuleForm
          draft={draft}
          faults={'faults' in read ? read.faults : {}}
          onChange={change => setDraft(before => ({ ...before, ...change }))}
        />
        <RulePreview
          rule={'rule' in read ? { ...read.rule, name: read.rule.name || 'new' } : undefined}
        />
      </div>
      {isLeaving && id !== undefined && (
        <ActionDialog
          title="Delete this rule?"
          act="Delete the rule"
          kind="danger"
          onAct={async () => {
            await deleteRule(id)
            toast(`“${first.name}” is deleted.`)
            go(tabHref('rules'))
          }}
          onClose={() => setLeaving(false)}
        >
          <p>What fires of “{first.name}” is resolved, and nobody is told by it any more.</p>
        </ActionDialog>
      )}
    </>
  )
}
