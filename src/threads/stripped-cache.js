// @ts-check
/**
 * The stripped text of this program's TypeScript, kept in `build/` from one start to the next: stripping
 * takes a third of a start, and its program slows the main thread for ever (`stripped-sources.ts`).
 * Plain JavaScript, because it is there before any TypeScript can be read.
 *
 * A text is used only for the very bytes that it was made from, by the very Node that made it, and a
 * file that is cut or damaged counts as none: whatever goes wrong here costs time and nothing else.
 *
 * The file has two lines of JSON: `{"node": "v22.1.0", "crc32": 7}`, the checksum being the other's;
 * and by path below `src`, the SHA-256 of the source in base64 and its stripped text.
 */
import { hash } from 'node:crypto'
import fs from 'node:fs'
import module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'

/** @typedef {Record<string, [digest: string, text: string]>} Kept */

const sourceRoot = new URL('..', import.meta.url).href
const cacheFile = fileURLToPath(new URL('../../build/stripped.jsonl', import.meta.url))

/** What is on the disk, read when first asked for. @type {Kept | undefined} */
let kept
/** What is not on the disk yet. @type {Kept} */
let fresh = {}
/** By URL; undefined for what cannot be stripped. @type {Map<string, string | undefined>} */
const texts = new Map()

/** Whether the URL is that of TypeScript which belongs to this program. @param {string} url */
export function isOwnSource(url) {
  return url.startsWith(sourceRoot) && url.endsWith('.ts')
}

/**
 * The stripped text of a file, lines and columns where they were; undefined when it cannot be read or
 * stripped here. One's own sources are looked up first, and remembered for `keepStripped`.
 * @param {string} url
 * @returns {string | undefined}
 */
export function strippedText(url) {
  if (texts.has(url)) return texts.get(url)
  let text
  try {
    const source = fs.readFileSync(new URL(url))
    text = isOwnSource(url) ? keptOrFresh(url.slice(sourceRoot.length), source) : strip(source)
  } catch {
    // If a file is at fault, Node says so best, when it comes to load it.
  }
  texts.set(url, text)
  return text
}

/**
 * Writes what was stripped, if anything was, for the next start; where that cannot be done, the next one
 * strips again. And lets go of the texts. Of several processes that write at once, the last one wins;
 * what it lacks is added by whoever misses it.
 */
export function keepStripped() {
  const added = fresh
  fresh = {}
  kept = undefined
  texts.clear()
  if (Object.keys(added).length === 0) return
  const files = Object.entries({ ...readKept(), ...added }).filter(([path]) => isThere(path))
  const body = JSON.stringify(Object.fromEntries(files))
  const temporary = `${cacheFile}.${process.pid}.tmp`
  try {
    fs.mkdirSync(dirname(cacheFile), { recursive: true })
    const head = JSON.stringify({ node: process.version, crc32: crc32(body) })
    fs.writeFileSync(temporary, `${head}\n${body}`)
    fs.renameSync(temporary, cacheFile)
  } catch {
    try {
      fs.rmSync(temporary, { force: true })
    } catch {
      // A read-only installation, most likely: then there is nothing to remove.
    }
  }
}

/** @param {string} path @param {Buffer} source @returns {string} */
function keptOrFresh(path, source) {
  const digest = hash('sha256', source, 'base64')
  kept ??= readKept()
  const known = fresh[path] ?? kept[path]
  if (known !== undefined && known[0] === digest) return known[1]
  const text = strip(source)
  fresh[path] = [digest, text]
  return text
}

/** @returns {Kept} */
function readKept() {
  try {
    const content = fs.readFileSync(cacheFile)
    const end = content.indexOf('\n')
    const head = JSON.parse(content.toString('utf8', 0, end))
    const body = content.subarray(end + 1)
    const isUsable = head.node === process.version && head.crc32 === crc32(body)
    return isUsable ? JSON.parse(body.toString()) : {}
  } catch {
    return {}
  }
}

/** @param {string} path */
function isThere(path) {
  return fs.existsSync(new URL(path, sourceRoot))
}

/** @param {Buffer} source */
function strip(source) {
  return withoutWarnings(() => module.stripTypeScriptTypes(source.toString()))
}

/**
 * The stripper calls itself experimental, once in a process: nothing for who runs the service.
 * @template T
 * @param {() => T} work
 */
function withoutWarnings(work) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
