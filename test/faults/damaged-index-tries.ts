/** Runs `damaged-index-worker.ts` over many seeds, and goes on behind each death of it. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeIndexed, openAndLook } from './damaged-index.ts'

const worker = fileURLToPath(new URL('./damaged-index-worker.ts', import.meta.url))

export interface DamagedIndexReport {
  readonly tried: number
  /** Tries after which something was said. */
  readonly said: number
  /** Tries that ended the process; each came up by itself afterwards. */
  readonly deaths: number
  /** With the seed and the kind of damage. */
  readonly violations: readonly string[]
}

interface Line {
  readonly seed: number
  readonly again?: true
  readonly how?: string
  readonly wasSaid?: boolean
  readonly violations: readonly string[]
}

export async function tryDamages(
  directory: string,
  seeds: { readonly from: number; readonly count: number },
): Promise<DamagedIndexReport> {
  const dataDir = join(directory, 'data')
  const good = join(directory, 'good')
  await makeIndexed(dataDir)
  fs.copyFileSync(join(dataDir, 'index.lmdb'), good)
  fs.writeFileSync(`${good}.entries`, JSON.stringify((await openAndLook(dataDir)).entries))
  const end = seeds.from + seeds.count
  const report = { tried: 0, said: 0, deaths: 0, violations: [] as string[] }
  let isAgain = false
  for (let next = seeds.from; next < end; ) {
    const argv = [worker, dataDir, good, String(next), String(end), isAgain ? 'again' : '']
    const { stdout, stderr, status, signal } = spawnSync(process.execPath, argv, {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    const lines = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Line)
    for (const { seed, how = 'again', wasSaid, violations, again } of lines) {
      if (!again) report.tried++
      if (wasSaid) report.said++
      report.violations.push(...violations.map(what => `seed ${seed} (${how}): ${what}`))
      next = seed + 1
    }
    if (status === 0) break
    if (signal === null && status !== null) {
      report.violations.push(`seed ${next}: ${stderr.slice(0, 1_000)}`)
    }
    if (isAgain && lines.length === 0) {
      report.violations.push(`seed ${next}: it does not come up again: ${signal}`)
      next++
      isAgain = false
      continue
    }
    report.tried++
    report.deaths++
    isAgain = true
  }
  return report
}
