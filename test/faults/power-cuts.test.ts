/** The short form of `npm run power-cuts`, and proof that it is not blind. */
import t from 'tap'
import type { Deafness } from '../disk/simulated-disk.ts'
import { seed as firstSeed, share } from '../long-runs.ts'
import { powerCut } from './power-cut.ts'

t.test('what a power cut leaves is every acknowledged record, once', async t => {
  const totals = { acknowledged: 0, opening: 0, working: 0, compactions: 0, deletedSegments: 0 }
  const upgrades = { upgrading: 0, upgradedSegments: 0 }
  let repeated = 0
  const isEnough = () =>
    Object.values({ ...totals, ...upgrades, repeated }).every(count => count > share(10))
  // Some days begin with seeds that hardly upgrade.
  const isWanted = (tried: number) => tried < share(100) || (tried < 1_000 && !isEnough())
  for (let seed = firstSeed; isWanted(seed - firstSeed); seed++) {
    const report = await powerCut(seed)
    t.same(report.violations, [], `seed ${seed}`)
    totals.acknowledged += report.acknowledged
    totals.opening += report.cuts.opening
    totals.working += report.cuts.working
    totals.compactions += report.compactions
    totals.deletedSegments += report.deletedSegments
    upgrades.upgrading += report.cuts.upgrading
    upgrades.upgradedSegments += report.upgradedSegments
    repeated += report.repeated
  }
  for (const [what, count] of Object.entries({ ...totals, ...upgrades, repeated }))
    t.ok(count > share(10), `${what}: ${count}`)
})

t.test('a seed repeats everything', async t => {
  t.same(await powerCut(7), await powerCut(7))
})

t.test('a machine that skips a sync is found out', async t => {
  const isFoundOut = async (what: string, deaf: Deafness) => {
    let seed = 1
    while ((await powerCut(seed, deaf)).violations.length === 0 && seed < 200) seed++
    t.ok(seed < 200, `${what}: in seed ${seed}`)
  }
  const isJournal = (path: string) => path.endsWith('.log')
  await isFoundOut('of the journal', { datasync: isJournal })
  await isFoundOut('of segments', { datasync: path => !isJournal(path) })
  const isOfReceipts = (path: string) => path.startsWith('/data/receipts')
  await isFoundOut('of files of receipts', { datasync: isOfReceipts })
  await isFoundOut('of names of files of receipts', { syncDirectory: isOfReceipts })
  await isFoundOut('of names of the journal', { syncDirectory: path => path === '/data/journal' })
  await isFoundOut('of names of segments', { syncDirectory: path => /segments\/./.test(path) })
  await isFoundOut('of names of days', { syncDirectory: path => path === '/data/segments' })
  await isFoundOut('of names in the data directory', { syncDirectory: path => path === '/data' })
  await isFoundOut('of the name of the data directory', { syncDirectory: path => path === '/' })
})
