/**
 * The description of the service as it is built. To read all routes from their sources takes 0.6 s of a
 * core, in each of some sixty processes of a run, so the first writes it into a file for those after it.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../built.ts'
import type { Described } from '../http/described.ts'

/** `build/server` names the digest of every source there. */
const sources = [
  'build/server/manifest.json',
  'test/http/described.ts',
  'test/http/stand-ins.ts',
  'test/service/described-service.ts',
]
const keptAt = join(projectRoot, '.tap', 'described-service.json')

interface Kept {
  readonly digest: string
  readonly described: Described
}

/** The routes that the built service has, wherever `/metrics` is closed or not. */
export async function describedService(): Promise<Described> {
  const hash = createHash('sha256')
  for (const path of sources) hash.update(readFileSync(join(projectRoot, path)))
  const digest = hash.digest('base64url')
  const kept = readKept()
  if (kept?.digest === digest) return kept.described
  const described = await describeFromSources()
  const temporary = `${keptAt}.${process.pid}.tmp`
  mkdirSync(dirname(keptAt), { recursive: true })
  writeFileSync(temporary, JSON.stringify({ digest, described } satisfies Kept))
  renameSync(temporary, keptAt)
  return described
}

function readKept(): Kept | undefined {
  try {
    return JSON.parse(readFileSync(keptAt, 'utf8'))
  } catch {
    return undefined // Nothing was kept yet.
  }
}

async function describeFromSources(): Promise<Described> {
  const [{ createRoutes }, { describe }, { standIns }] = await Promise.all([
    import('../../src/http/routes.ts'),
    import('../http/described.ts'),
    import('../http/stand-ins.ts'),
  ])
  const { dependencies } = standIns()
  const config = { ...dependencies.config, metricsAccess: 'viewer' } as const
  return describe(createRoutes({ ...dependencies, config }))
}
