/**
 * Damage to the catalog's file, and what a start makes of it: either it says so and serves nothing, or it
 * serves what was stored, and says what is missing.
 *
 * `damage.test.ts` tries some; `npm run catalog-damage -- COUNT [SEED]` as many as one likes.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../../src/catalog/catalog.ts'
import { mulberry32 } from '../../src/demo/mulberry32.ts'
import { Health } from '../../src/health.ts'
import { testTime } from './catalog-in.ts'

const pageBytes = 4_096
const metaStart = 24
const metaBytes = 144
const now = () => testTime

/** Everything that a catalog answers, by what it was asked for. */
type Answers = Map<string, string>

/** What was made, of which some was changed and deleted again: file and secrets. */
export interface Sample {
  readonly file: Buffer
  readonly secretKey: Buffer
  readonly secrets: readonly string[]
  readonly dashboards: readonly string[]
  readonly answers: Answers
}

/** Makes a catalog whose file has old states of its values in free pages. */
export async function makeSample(directory: string): Promise<Sample> {
  const catalog = await openCatalog({ dataDir: directory, now })
  const secrets: string[] = []
  const dashboards: string[] = []
  for (let i = 0; i < 30; i++) {
    const { token } = await catalog.ingestionTokens.create({
      serviceName: `service ${i}`,
      environment: 'prod',
    })
    const role = (['viewer', 'editor', 'admin'] as const)[i % 3]!
    const apiKey = await catalog.apiKeys.create({ name: `key ${i}`, role })
    secrets.push(token, apiKey.key, (await catalog.sessions.create(apiKey.key)).secret)
    const content = { title: `before ${i}`, note: 'n'.repeat(i % 3 === 0 ? 9_000 : 90) }
    dashboards.push((await catalog.dashboards.put({ content })).id)
    await catalog.savedQueries.save({ name: `query ${i}`, query: 'logs' })
  }
  for (const { id } of catalog.apiKeys.list().filter((_, i) => i % 5 === 0)) {
    await catalog.apiKeys.delete(id)
  }
  for (const { id } of catalog.ingestionTokens.list().filter((_, i) => i % 7 === 0)) {
    await catalog.ingestionTokens.delete(id)
  }
  for (const id of dashboards) {
    await catalog.dashboards.put({ metadata: { id }, content: { title: `after ${id}` } })
  }
  const answers = ask(catalog, secrets, dashboards)
  await catalog.close()
  const file = fs.readFileSync(join(directory, 'catalog.lmdb'))
  const secretKey = fs.readFileSync(join(directory, 'secret.key'))
  return { file, secretKey, secrets, dashboards, answers }
}

/** A refusal is no answer. */
function ask(
  { ingestionTokens, apiKeys, sessions, dashboards, savedQueries }: Catalog,
  secrets: readonly string[],
  dashboardIds: readonly string[],
): Answers {
  const answers: Answers = new Map()
  const note = (question: string, answer: () => unknown) => {
    try {
      const given = answer()
      if (given !== undefined) answers.set(question, JSON.stringify(given))
    } catch {
      // It is refused.
    }
  }
  for (const secret of secrets) {
    note(`token ${secret}`, () => ingestionTokens.find(secret))
    note(`key ${secret}`, () => apiKeys.find(secret))
    note(`session ${secret}`, () => sessions.find(secret))
  }
  for (const token of ingestionTokens.list()) {
    note(`listed token ${token.id}`, () => token)
    note(`secret ${token.id}`, () => ingestionTokens.secret(token.id))
  }
  for (const key of apiKeys.list()) note(`listed key ${key.id}`, () => key)
  for (const id of dashboardIds) note(`dashboard ${id}`, () => dashboards.getStored(id))
  for (const one of dashboards.list()) note(`listed dashboard ${one.id}`, () => one)
  for (const one of savedQueries.list()) note(`query ${one.id}`, () => one)
  return answers
}

/** One kind of damage, as it was done. */
export interface Damage {
  readonly what: string
  readonly bytes: Buffer
}

/** The damage of a seed. */
export function damage(file: Buffer, seed: number): Damage {
  const random = mulberry32(seed)
  const below = (limit: number) => random() % limit
  const pageCount = file.length / pageBytes
  const bytes = Buffer.from(file)
  const pageAt = (page: number) => bytes.subarray(page * pageBytes, (page + 1) * pageBytes)
  const flip = (at: number) => {
    const bit = below(8)
    bytes[at]! ^= 1 << bit
    return `bit ${bit} of byte ${at}`
  }
  switch (below(8)) {
    case 0:
      return { what: flip(below(2) * pageBytes + metaStart + below(metaBytes)), bytes }
    case 1:
    case 2:
      return { what: flip(below(file.length)), bytes }
    case 3: // Of a page's header, or its pointers.
      return { what: flip((2 + below(pageCount - 2)) * pageBytes + below(64)), bytes }
    case 4: {
      const flips = Array.from({ length: 1 + below(50) }, () => flip(below(file.length)))
      return { what: flips.join(', '), bytes }
    }
    case 5: {
      const length = below(file.length)
      return { what: `cut to ${length}`, bytes: bytes.subarray(0, length) }
    }
    case 6: {
      const [a, b] = [below(pageCount), below(pageCount)]
      const kept = Buffer.from(pageAt(a))
      pageAt(b).copy(pageAt(a))
      kept.copy(pageAt(b))
      return { what: `pages ${a} and ${b} swapped`, bytes }
    }
    default: {
      // With its number made right: an old page that the disk kept.
      const [from, to] = [2 + below(pageCount - 2), 2 + below(pageCount - 2)]
      pageAt(from).copy(pageAt(to))
      pageAt(to).writeBigUInt64LE(BigInt(to))
      return { what: `page ${from} in the place of ${to}`, bytes }
    }
  }
}

export interface Outcome {
  /** `refused`: the start says so. `told`: it serves what is left, and says so. */
  readonly kind: 'unharmed' | 'told' | 'refused'
  /** What must not be: another answer than before, or one less without a word. */
  readonly violations: readonly string[]
}

/** Starts a catalog on a damaged file in `directory`, which is emptied before. */
export async function startOn(directory: string, sample: Sample, bytes: Buffer): Promise<Outcome> {
  fs.rmSync(directory, { recursive: true, force: true })
  fs.mkdirSync(directory)
  const path = join(directory, 'catalog.lmdb')
  fs.writeFileSync(path, bytes)
  fs.writeFileSync(join(directory, 'secret.key'), sample.secretKey)
  // A copy, so that an empty file is not taken for a first start.
  const copies = join(directory, 'catalog-copies')
  fs.mkdirSync(copies)
  fs.writeFileSync(join(copies, 'catalog-20231114T000000Z.lmdb'), sample.file)
  const health = new Health()
  const said: string[] = []
  const say = (text: string) => said.push(text)
  let catalog: Catalog
  try {
    catalog = await openCatalog({ dataDir: directory, now, health, say })
  } catch (error) {
    return { kind: 'refused', violations: refusalFaults((error as Error).message, path) }
  }
  const violations: string[] = []
  const answers = ask(catalog, sample.secrets, sample.dashboards)
  for (const [question, answer] of answers) {
    const before = sample.answers.get(question)
    if (before !== answer) violations.push(`${question}: ${answer}, was ${before}`)
  }
  const isLess = answers.size < sample.answers.size
  const isTold = said.length > 0 && (await health.text('catalog_damaged')) !== undefined
  if (isLess && !isTold) violations.push('answers are missing without a word')
  violations.push(...(await goesOn(catalog, directory)))
  return { kind: isTold ? 'told' : 'unharmed', violations }
}

function refusalFaults(message: string, path: string): string[] {
  const isHelpful = [path, 'catalog-20231114T000000Z.lmdb', 'restore-catalog'].every(part =>
    message.includes(part),
  )
  return isHelpful ? [] : [`the refusal does not help: ${message}`]
}

/** Changes the catalog and opens it again. */
async function goesOn(catalog: Catalog, directory: string): Promise<string[]> {
  const { token } = await catalog.ingestionTokens.create({ serviceName: 'new', environment: 'e' })
  await catalog.dashboards.put({ metadata: { id: 'new' }, content: { title: 'x'.repeat(20_000) } })
  await catalog.close()
  const again = await openCatalog({ dataDir: directory, now })
  const isThere = again.ingestionTokens.find(token) !== undefined
  await again.close()
  return isThere ? [] : ['what was made since is lost']
}
