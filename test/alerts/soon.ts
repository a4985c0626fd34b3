import { setImmediate as nextTurn } from 'node:timers/promises'

/** Resolves when `holds`, for what takes some turns of the event loop only: nothing of it is on a disk. */
export async function soon(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 100_000) throw new Error(`this never became true: ${holds}`)
    await nextTurn()
  }
}
