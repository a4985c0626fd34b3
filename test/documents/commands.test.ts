/**
 * The commands of the documents do what these say. A block of `sh` is run, as it stands, against a service that all
 * documents share; the block of `json` or `text` behind it is what it prints. What a reader runs but a test should
 * not (a start, a load of minutes) stands in a block of `console`: there the names are checked.
 */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { adminKey, type ServiceProcess, startService } from '../service/service-process.ts'
import { type Block, blocksOf, documentPaths, projectRoot, readDocument } from './markdown.ts'
import { runCommands } from './run-commands.ts'

const scripts: Record<string, string> = JSON.parse(readDocument('package.json')).scripts

/** A log that every Debian machine has, and what stands in for it elsewhere. */
const realLog = '/var/log/dpkg.log'
const madeLog = `2026-01-01 10:00:00 status installed tzdata:all 2026a
2026-01-01 10:00:01 status half-configured libc6:amd64 2.36
2026-01-01 10:00:02 status installed libc6:amd64 2.36
`

let service: ServiceProcess
let environment: Record<string, string>
let dataDir: string
let directory: string

t.before(async () => {
  directory = t.testdir({ data: {}, 'dpkg.log': madeLog })
  dataDir = `${directory}/data`
  service = await startService(dataDir)
  const token = await service.makeToken('checkout', 'dev')
  environment = {
    URL: service.url,
    KEY: adminKey,
    TOKEN: token,
    LOGSTRATA_URL: service.url,
    LOGSTRATA_KEY: adminKey,
    LOGSTRATA_TOKEN: token,
  }
})

t.teardown(() => service.end('SIGKILL'))

/** Each run block, with what should be printed where a block behind it says so. */
function stepsOf(document: string): { text: string; printed: Block | undefined }[] {
  const blocks = blocksOf(document)
  return blocks.flatMap(({ info, text }, place) => {
    const next = blocks[place + 1]
    const printed = next?.info === 'json' || next?.info === 'text' ? next : undefined
    return info === 'sh' ? [{ text: atHome(text), printed }] : []
  })
}

/** With the key, address and directories of the test in the place of the reader's. */
function atHome(text: string): string {
  const log = fs.existsSync(realLog) ? realLog : `${directory}/dpkg.log`
  return text
    .replace('KEY=key_…', `KEY=${adminKey}`)
    .replace('http://127.0.0.1:7007', service.url)
    .replaceAll('./data', dataDir)
    .replaceAll(/(?<= )\.\/backup\b/g, `${directory}/backup`)
    .replaceAll(realLog, log)
}

for (const path of documentPaths()) {
  const document = readDocument(path)
  const count = blocksOf(document).filter(({ info }) => info === 'sh').length
  if (count > 0) {
    t.test(`${path}: ${count} blocks of commands do what it says`, async t => {
      const steps = stepsOf(document)
      const { outputs } = await runCommands(steps, environment)
      for (const [place, { text, printed }] of steps.entries()) {
        if (printed !== undefined) checkPrinted(t, outputs[place]!, printed, text)
      }
    })
  }
}

/** Each line of the block stands in what was printed; of JSON, each member. `…` stands for anything. */
function checkPrinted(t: Test, output: string, { info, text }: Block, command: string): void {
  if (info === 'json') {
    t.match(JSON.parse(output), withAnything(JSON.parse(text)), command)
    return
  }
  for (const line of text.trimEnd().split('\n')) {
    const parts = line.trim().split('…').map(escaped)
    t.match(output, new RegExp(parts.join('.*')), command)
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function withAnything(value: unknown): unknown {
  if (value === '…') return /^/
  if (Array.isArray(value)) return value.map(withAnything)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withAnything(one)]))
}

t.test('what the documents call by name is there', async t => {
  for (const path of documentPaths()) {
    const document = readDocument(path)
    for (const [, name] of document.matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*[a-z])/g)) {
      t.ok(name! in scripts, `${path}: npm run ${name}`)
    }
    for (const [, target] of document.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      t.ok(fs.existsSync(join(projectRoot, path, '..', target!)), `${path}: link to ${target}`)
    }
    for (const named of namedPaths(path, document)) {
      t.ok(fs.globSync(named.patterns, { cwd: projectRoot }).length > 0, `${path}: ${named.text}`)
    }
  }
})

/** Paths that a document names in backticks: from where it lies, or from a folder above that. */
function namedPaths(path: string, document: string): { text: string; patterns: string[] }[] {
  const spans = document.matchAll(/`((?:[\w.*-]+\/)+[\w.*{},-]*\.(?:ts|tsx|js|md|mjs|c|seg))`/g)
  return [...spans].map(([, text]) => ({
    text: text!,
    patterns: [`src/${text}`, ...foldersAbove(path).map(folder => join(folder, text!))],
  }))
}

/** `a/b`, `a` and `.` for `a/b/c`. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [folder] : [folder, ...foldersAbove(folder)]
}
