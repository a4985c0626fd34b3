/** The records of the query in their order: a page at once, more when the end comes into sight. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiProblem, isAbort } from '../api/problem.ts'
import {
  type AnswerRecord,
  type LogsAnswer,
  type LogsAsked,
  queryContext,
  queryLogs,
  type RecordsAsked,
} from '../api/records.ts'
import { useRequest } from '../state/request.ts'
import { toast } from '../ui/toasts.tsx'

const pageSize = 1_000
/** More are not loaded: nobody reads them, and the whole result can be exported. */
export const rowsMax = 100_000

export interface FirstPage {
  readonly asked: OrderedAsked
  readonly answer: LogsAnswer
  /** The rows begin at this time because a link leads there; those before it in the list are left out. */
  readonly beginsAt: number | undefined
}

interface More {
  readonly first: FirstPage | undefined
  readonly logs: readonly AnswerRecord[]
  readonly cursor: string | undefined
  readonly isBusy: boolean
  readonly error: unknown
}

/**
 * @param key What the question is about; undefined: nothing is asked.
 * @param linkedId Id of a record that must be among the rows; empty for none.
 */
export function useRows(key: string | undefined, ask: () => OrderedAsked, linkedId: () => string) {
  const first = useRequest(key, signal => firstPage(ask(), linkedId(), signal))
  const [more, setMore] = useState<More>(noMore)
  const controller = useRef<AbortController | undefined>(undefined)
  const own = more.first === first.answer ? more : pagesOf(first.answer)
  useEffect(() => () => controller.current?.abort(), [first.answer])

  const loadMore = async () => {
    const page = first.answer
    const { logs, cursor, isBusy } = own
    if (page === undefined || cursor === undefined || isBusy || logs.length >= rowsMax) return
    const current = new AbortController()
    controller.current = current
    setMore({ ...own, isBusy: true, error: undefined })
    try {
      const asked = { ...page.asked, limit: pageSize, cursor }
      const next = await queryLogs(asked, current.signal)
      setMore({
        first: page,
        logs: [...logs, ...next.logs],
        cursor: next.nextCursor,
        isBusy: false,
        error: undefined,
      })
    } catch (error) {
      if (!isAbort(error)) setMore({ ...own, isBusy: false, error })
    }
  }
  return {
    ...first,
    logs: own.logs,
    isLoadingMore: own.isBusy,
    moreError: own.error,
    hasMore: own.cursor !== undefined,
    loadMore,
  }
}

export type OrderedAsked = RecordsAsked & Required<Pick<LogsAsked, 'order'>>

const noMore: More = {
  first: undefined,
  logs: [],
  cursor: undefined,
  isBusy: false,
  error: undefined,
}

function pagesOf(first: FirstPage | undefined): More {
  if (first === undefined) return noMore
  const { logs, nextCursor: cursor } = first.answer
  return { ...noMore, first, logs, cursor }
}

async function firstPage(
  asked: OrderedAsked,
  linkedId: string,
  signal: AbortSignal,
): Promise<FirstPage> {
  const answer = await queryLogs({ ...asked, limit: pageSize }, signal)
  const isThere = linkedId === '' || answer.logs.some(({ id }) => id === linkedId)
  if (isThere || answer.nextCursor === undefined) return { asked, answer, beginsAt: undefined }
  const time = await timeOf(linkedId, signal)
  if (time === undefined) return { asked, answer, beginsAt: undefined }
  const below = { ...asked, ...(asked.order === 'desc' ? { endTime: time } : { startTime: time }) }
  const { logs, nextCursor } = await queryLogs({ ...below, limit: pageSize }, signal)
  const { count, stats } = answer
  const cursor = nextCursor === undefined ? {} : { nextCursor }
  return { asked: below, answer: { count, stats, logs, ...cursor }, beginsAt: time }
}

async function timeOf(id: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    return (await queryContext({ id, before: 0, after: 0 }, signal)).record.timestamp
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    toast('The record that this link points to no longer exists')
    return undefined
  }
}
