/** Over the lower edge of the list: what comes next, or why nothing does. */

import { countText } from '../format.ts'
import { clockText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { explain } from '../ui/states.tsx'
import { linked, runAgain } from './shown.ts'
import { rowsMax, type useRows } from './use-rows.ts'

export function RowsEnd({ found }: { readonly found: ReturnType<typeof useRows> }) {
  const { logs, answer, hasMore, isLoadingMore, moreError, loadMore } = found
  const beginsAt = answer?.beginsAt
  return (
    <div class="log-end" role="status">
      {beginsAt !== undefined && (
        <span class="log-note floating line">
          Records up to {clockText(beginsAt, zone.value)}
          <Button
            isSmall
            kind="outline"
            onClick={() => {
              linked.set('', 'replace')
              runAgain()
            }}
          >
            Show the newest
          </Button>
        </span>
      )}
      {isLoadingMore && <span class="log-note floating line">Loading more</span>}
      {moreError !== undefined && (
        <span class="log-note floating line">
          {explain(moreError).detail}
          <Button isSmall kind="outline" onClick={() => void loadMore()}>
            Try again
          </Button>
        </span>
      )}
      {hasMore && logs.length >= rowsMax && (
        <span class="log-note floating line">
          The newest {countText(rowsMax)} are here; narrow the query, or export all
        </span>
      )}
    </div>
  )
}
