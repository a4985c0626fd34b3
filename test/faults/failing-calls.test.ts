import t from 'tap'
import { FailingCalls } from './failing-calls.ts'
import { type Fault, noFaultyDisk } from './faulty-disk.ts'

const journal = '/data/journal/'

t.test('calls that fail on real files', { skip: noFaultyDisk }, async t => {
  let started: FailingCalls | undefined
  // Asked for before the directory: tap would remove it first, while the service still writes there.
  t.teardown(() => started?.end())
  const calls = await FailingCalls.start(t.testdir())
  started = calls
  const lets = async (fault: Fault) => {
    const report = await calls.run(fault)
    const { part, call, failure, nth } = fault
    t.ok(report.happened, `${call} ${nth} on ${part} failed: ${failure}`)
    t.same(report.violations, [], 'nothing is lost, doubled or acknowledged in vain')
    return report
  }

  await t.test('a sync of the journal that fails is final, whatever the reason', async t => {
    for (const [failure, nth] of [
      ['EIO', 1],
      ['ENOSPC', 6],
    ] as const) {
      const { exit, refusals } = await lets({ part: journal, call: 'sync', failure, nth })
      t.equal(exit, 1)
      t.ok(refusals.every(status => status === 503))
    }
  })

  await t.test('a write of the journal that fails is final, but for a full disk', async t => {
    for (const [failure, nth] of [
      ['EIO', 1],
      ['full', 2],
      ['short', 3],
    ] as const) {
      const { exit, refusals } = await lets({ part: journal, call: 'write', failure, nth })
      t.equal(exit, failure === 'EIO' ? 1 : undefined, failure)
      if (failure === 'full') t.same([...new Set(refusals)], [503])
      if (failure === 'short') t.same(refusals, [], 'the rest is written by the next call')
    }
  })

  await t.test('what fails behind the scenes is tried again, and refuses nobody', async t => {
    for (const [part, call, failure, nth] of [
      ['/data/segments', 'sync', 'EIO', 2],
      ['/data/index.lmdb', 'sync', 'EIO', 1],
    ] as const) {
      const { exit, refusals } = await lets({ part, call, failure, nth })
      t.equal(exit, undefined, 'the service goes on')
      t.same(refusals, [])
    }
  })

  await t.test('a change of the catalog that cannot be synced is refused', async t => {
    const report = await lets({ part: '/data/catalog.lmdb', call: 'sync', failure: 'EIO', nth: 1 })
    t.equal(report.exit, undefined)
    t.same(report.refusals, [503])
  })
})
