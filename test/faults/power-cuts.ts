/**
 * `npm run power-cuts -- --seeds 10000 --from 1`: the power-cut test for as many seeds as wanted. A
 * failing seed is printed with what was wrong; `--seeds 1 --from SEED` runs it again, the same way.
 */
import { parseArgs } from 'node:util'
import { powerCut } from './power-cut.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
  },
})
const [seeds, from] = [Number(values.seeds), Number(values.from)]
const totals = {
  seeds: 0,
  acknowledged: 0,
  cutsOpening: 0,
  cutsWorking: 0,
  cutsUpgrading: 0,
  calmEnds: 0,
  kills: 0,
}
const work = {
  sealedRecords: 0,
  compactions: 0,
  deletedSegments: 0,
  upgradedSegments: 0,
  repeated: 0,
}
const startedAt = performance.now()
let failed = 0
for (let seed = from; seed < from + seeds; seed++) {
  const report = await powerCut(seed)
  totals.seeds++
  totals.acknowledged += report.acknowledged
  totals.cutsOpening += report.cuts.opening
  totals.cutsWorking += report.cuts.working
  totals.cutsUpgrading += report.cuts.upgrading
  totals.calmEnds += report.cuts.calm
  totals.kills += report.kills
  work.sealedRecords += report.sealedRecords
  work.compactions += report.compactions
  work.deletedSegments += report.deletedSegments
  work.upgradedSegments += report.upgradedSegments
  work.repeated += report.repeated
  if (report.violations.length === 0) continue
  failed++
  console.log(`seed ${seed}: ${report.violations.slice(0, 5).join('; ')}`)
}
const seconds = Math.round((performance.now() - startedAt) / 100) / 10
console.log({ ...totals, ...work, failed, seconds })
if (failed > 0) process.exitCode = 1
