/**
 * A bound on how long LMDB may take. After some failures of the disk the thread that writes for lmdb never
 * settles what it has promised, nor anything that is asked of it later.
 */

/** Slow disks take seconds for a commit, never this long, ms. */
export const lmdbAnswerMs = 60_000

/** What `work` comes to. Rejects with LmdbSilent when that takes longer than `answerMs`. */
export async function answered<T>(work: Promise<T>, answerMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new LmdbSilent(answerMs)), answerMs)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

export class LmdbSilent extends Error {
  override readonly name = 'LmdbSilent'

  constructor(answerMs: number) {
    super(`LMDB gave no answer in ${answerMs} ms; only a restart helps`)
  }
}
