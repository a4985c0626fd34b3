/**
 * The page as it was built: its HTML, and what it is made of. Its routes: `resources/page.ts`.
 *
 * All of it comes from `build/web`, made by `src/build/page.js`. Assets have their content's hash in the
 * name, so browsers keep them for good; the HTML, which names them, is never kept. A page that is built
 * while the service runs is served from the next look at it on; assets of the one before stay
 * available to pages that are open. The page is open to everybody: what it shows comes from the API, which
 * decides.
 */

import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { ProblemError } from '../problems.ts'
import type { Reply } from './reply/reply.ts'

/** How `src/build/page.js` leaves it. */
interface Manifest {
  readonly html: string
  /** Names of assets, and the endings of their compressed forms, the smallest first. */
  readonly files: Readonly<Record<string, readonly string[]>>
}

/** What the answer about an asset depends on; texts of headers, empty when absent. */
export interface AssetRequest {
  readonly acceptEncoding: string
  readonly ifNoneMatch: string
}

/** From here as from `build/server/`, where this module runs when it is built. */
const buildDirectory = fileURLToPath(new URL('../../build/web', import.meta.url))

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
}

/** Names in `Accept-Encoding` of the endings in the manifest. */
const encodings: Readonly<Record<string, string>> = { br: 'br', gz: 'gzip' }

/**
 * Nothing from elsewhere, and no script or style in the HTML itself: a record's text that should ever
 * become markup still does nothing.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const pageHeaders = [['Cross-Origin-Opener-Policy', 'same-origin']] as const

const forGood = 'public, max-age=31536000, immutable'

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Logstrata</title>
<h1>The page is not built</h1>
<p>The service is running, and its API answers. To build the page, run this in its directory, then load
this page again:</p>
<pre>npm run build</pre>
</html>`

export class Pages {
  readonly #directory: string
  readonly #assets = new Map<string, readonly string[]>()
  readonly #contents = new Map<string, Promise<Buffer>>()
  #html: string | undefined
  #builtAt = Number.NaN

  constructor(directory = buildDirectory) {
    this.#directory = directory
  }

  /** The page, at any of its paths; 503 with what to do when it is not built. */
  html(): Reply {
    this.#readManifest()
    const status = this.#html === undefined ? 503 : 200
    const body = this.#html ?? notBuilt
    const contentType = 'text/html; charset=utf-8'
    return { status, contentType, policy, body, headers: pageHeaders }
  }

  /** An asset by its name, compressed when that is accepted. Throws `path_unknown`. */
  async asset(name: string, { acceptEncoding, ifNoneMatch }: AssetRequest): Promise<Reply> {
    if (!this.#assets.has(name)) this.#readManifest()
    const endings = this.#assets.get(name)
    const contentType = contentTypes[extname(name)]
    if (endings === undefined || contentType === undefined) {
      throw new ProblemError('path_unknown', 'the page has no such part; load it again')
    }
    const ending = endings.find(one => accepts(acceptEncoding, encodings[one]!))
    const file = ending === undefined ? name : `${name}.${ending}`
    const etag = `"${file}"`
    const headers = [
      ['ETag', etag],
      ['Vary', 'Accept-Encoding'],
      ...pageHeaders,
      ...(ending === undefined ? [] : [['Content-Encoding', encodings[ending]!] as const]),
    ] as const
    if (ifNoneMatch.split(',').some(one => one.trim().replace(/^W\//, '') === etag)) {
      return { status: 304, cacheControl: forGood, policy, headers }
    }
    const body = await this.#content(file)
    return { status: 200, contentType, cacheControl: forGood, policy, body, headers }
  }

  #content(file: string): Promise<Buffer> {
    return getOrInsertComputed(this.#contents, file, () => {
      const content = readFile(join(this.#directory, file))
      content.catch(() => this.#contents.delete(file))
      return content
    })
  }

  /** Reads the manifest when it is another than the last one; keeps what it knew when it cannot. */
  #readManifest(): void {
    const path = join(this.#directory, 'manifest.json')
    const builtAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined || builtAt === this.#builtAt) return
    let manifest: Manifest
    try {
      manifest = JSON.parse(readFileSync(path, 'utf8'))
    } catch {
      return // Damaged: as if it were not built, and read again at the next look.
    }
    const { html, files } = manifest
    this.#html = html
    this.#builtAt = builtAt
    for (const [name, endings] of Object.entries(files)) this.#assets.set(name, endings)
  }
}

/** Whether `Accept-Encoding` takes `encoding`: named, or under `*`, and not with a weight of 0. */
function accepts(acceptEncoding: string, encoding: string): boolean {
  const offers = acceptEncoding.split(',').map(offer => {
    const [name = '', ...parameters] = offer.split(';').map(part => part.trim().toLowerCase())
    return { name, isRefused: parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) }
  })
  const offer =
    offers.find(({ name }) => name === encoding) ?? offers.find(({ name }) => name === '*')
  return offer !== undefined && !offer.isRefused
}
