/** A catalog in a directory of the test's own, with a clock that the test sets. */

import type { Test } from 'tap'
import { type Catalog, openCatalog } from '../../src/catalog/catalog.ts'

/** The time at which tests begin. */
export const testTime = 1_700_000_000_000

export interface TestCatalog extends Catalog {
  readonly dataDir: string
  readonly clock: { time: number }
  /** Closes it and opens it again. */
  reopen(): Promise<TestCatalog>
}

/** `t` closes the catalog when the test ends; a catalog that was re-opened is closed already. */
export async function openTestCatalog(
  t: Pick<Test, 'teardown'>,
  dataDir: string,
  clock = { time: testTime },
): Promise<TestCatalog> {
  const catalog = await openCatalog({ dataDir, now: () => clock.time })
  let isOpen = true
  const close = async () => {
    if (isOpen) {
      isOpen = false
      await catalog.close()
    }
  }
  t.teardown(close)
  return {
    ...catalog,
    dataDir,
    clock,
    close,
    async reopen() {
      await close()
      return openTestCatalog(t, dataDir, clock)
    },
  }
}
