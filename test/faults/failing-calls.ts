/**
 * System calls that fail under the real service, one after the other: the Nth write or sync on one
 * kind of file. The sender is outside of the service and knows what was acknowledged; after each
 * failure the service is killed or has ended, and is started again on the same directory.
 *
 * `failing-calls.test.ts` tries a few, `npm run failing-calls -- N` all of them up to the Nth.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { EventsOracle } from './events-oracle.ts'
import { type Call, type Failure, type Fault, FaultyDisk } from './faulty-disk.ts'

/** The kinds of files in the data directory, by a part of their paths. */
export const parts = ['/data/journal/', '/data/segments', '/data/index.lmdb', '/data/catalog.lmdb']

export const failuresOf: Record<Call, readonly Failure[]> = {
  write: ['EIO', 'ENOSPC', 'short', 'full'],
  sync: ['EIO', 'ENOSPC'],
}

export interface FaultReport {
  /** Whether the call that was to fail was made at all. */
  readonly happened: boolean
  /** How the service ended by itself; undefined when it went on. */
  readonly exit: number | string | undefined
  /** Statuses other than 200 that senders got. */
  readonly refusals: readonly number[]
  /** What must not be: lost, doubled, changed, acknowledged after a failure that is final. */
  readonly violations: readonly string[]
}

/** So small that a few events fill a file, which is then sealed, and segments are compacted. */
const flags = ['--journal-file-bytes', '4KiB']
const eventsPerFault = 20
const eventsPerCatalogChange = 4
/** In such a time what was sent is sealed, and so noted in the index. */
const behindMs = 5_000
const padding = 'x'.repeat(300)

/**
 * LMDB's C code (`mdb_page_flush` in lmdb 3.5.6) describes a write that gave an error in a buffer of 100
 * bytes, which the text may exceed: its process may then be ended by the allocator. Nothing is
 * acknowledged by then, and nothing may be lost; how the process ends is not in our hands.
 */
function mayCrash({ part, call, failure }: Fault): boolean {
  return part.endsWith('.lmdb') && call === 'write' && failure !== 'short'
}

export class FailingCalls {
  readonly #disk: FaultyDisk
  readonly #dataDir: string
  readonly #oracle = new EventsOracle()
  readonly #names = new Set<string>()
  #service: ServiceProcess
  #token: string
  #sent = 0

  private constructor(disk: FaultyDisk, dataDir: string, service: ServiceProcess, token: string) {
    this.#disk = disk
    this.#dataDir = dataDir
    this.#service = service
    this.#token = token
  }

  /** Starts a service whose disk can fail, on `directory`/data. */
  static async start(directory: string): Promise<FailingCalls> {
    const dataDir = join(directory, 'data')
    fs.mkdirSync(dataDir)
    const disk = new FaultyDisk(directory)
    const service = await startService(dataDir, { flags, environment: disk.environment })
    return new FailingCalls(disk, dataDir, service, await service.makeToken())
  }

  get acknowledged(): number {
    return this.#oracle.acknowledged.size
  }

  /** Lets one call fail in the middle of a load, and looks at what is there afterwards. */
  async run(fault: Fault): Promise<FaultReport> {
    this.#disk.fail(fault)
    const refusals: number[] = []
    const violations: string[] = []
    for (let i = 0; i < eventsPerFault; i++) {
      const failedBefore = this.#disk.counted.failed
      const status = await this.#send()
      if (status === undefined) break
      if (status !== 200) refusals.push(status)
      const changed = i % eventsPerCatalogChange === 0 ? await this.#changeCatalog() : 200
      if (changed !== undefined && changed >= 300) refusals.push(changed)
      // With one sender at a time, a sync of the journal that fails belongs to the last event.
      const isFinal = fault.part === '/data/journal/' && fault.call === 'sync'
      if (status === 200 && isFinal && this.#disk.counted.failed > 0) {
        violations.push(`200 ${failedBefore > 0 ? 'after' : 'for'} a sync that failed`)
      }
    }
    const happened = await this.#happens(fault)
    this.#disk.heal()
    const exit = await this.#exitOrGoOn(fault, violations)
    violations.push(...(await this.#startAgain()))
    return { happened, exit, refusals, violations }
  }

  /** Whether the call is made; one that is made behind the senders' backs, a moment after them. */
  async #happens({ part }: Fault): Promise<boolean> {
    const isBehind = part === '/data/segments' || part === '/data/index.lmdb'
    const givenUpAt = performance.now() + (isBehind ? behindMs : 0)
    while (this.#disk.counted.failed === 0 && performance.now() < givenUpAt) await delay(20)
    return this.#disk.counted.failed > 0
  }

  async end(): Promise<void> {
    this.#disk.heal()
    await this.#service.end('SIGKILL')
    this.#disk.close()
  }

  /** The answer's status, or undefined when the service is gone. */
  async #send(): Promise<number | undefined> {
    const id = `${this.#sent++}-${padding}`
    this.#oracle.sent.add(id)
    const path = '/api/v1/webhook/event/log'
    try {
      const sent = { token: this.#token, body: { message: id, id } }
      const { status } = await this.#service.call('POST', path, sent)
      if (status === 200) this.#oracle.acknowledged.add(id)
      return status
    } catch {
      return undefined
    }
  }

  /** The answer's status, or undefined when the service is gone. */
  async #changeCatalog(): Promise<number | undefined> {
    const body = { serviceName: `service ${this.#sent}`, environment: 'test' }
    const path = '/api/v1/settings/ingestion-tokens'
    try {
      const { status } = await this.#service.call('POST', path, { body })
      if (status < 300) this.#names.add(body.serviceName)
      return status
    } catch {
      return undefined
    }
  }

  /** How the service ended by itself, or undefined: then it takes events again, and is killed. */
  async #exitOrGoOn(fault: Fault, violations: string[]): Promise<number | string | undefined> {
    const ended = await Promise.race([
      this.#service.exit,
      this.#send().then(status => {
        // Not reached, or refused for good: then it is about to end.
        return status === 200 ? undefined : this.#service.exit
      }),
    ])
    if (ended === undefined) await this.#service.end('SIGKILL')
    else if (ended !== 1 && !mayCrash(fault)) {
      const { stderr } = this.#service.output
      violations.push(`the service ended with ${ended}: ${stderr.slice(-2_000)}`)
    }
    return ended
  }

  async #startAgain(): Promise<string[]> {
    const environment = this.#disk.environment
    this.#service = await startService(this.#dataDir, { flags, environment })
    // At once, while the journal is not sealed yet; what is sealed meanwhile, the next run looks at.
    const violations = await this.#oracle.violations(this.#service)
    const { body } = await this.#service.call('GET', '/api/v1/settings/ingestion-tokens')
    const found = new Set(body.tokens.map((token: { serviceName: string }) => token.serviceName))
    for (const name of this.#names) if (!found.has(name)) violations.push(`token ${name} is lost`)
    return violations
  }
}
