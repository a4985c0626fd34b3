/** What the licences of packages ask of whoever passes their code on: their own words, beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './outputs.js'

/**
 * A file with the licences of all packages that are among the bundled files. Throws when a package has none:
 * it must not be passed on then.
 */
export function notices(inputs) {
  const found = inputs.map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  const names = [...new Set(found.filter(name => name !== undefined))].sort()
  const content = names.map(noticeOf).join('\n')
  return { name: 'THIRD-PARTY-NOTICES.txt', content }
}

function noticeOf(name) {
  const directory = join(root, 'node_modules', name)
  const { version, license, author } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  )
  const file = readdirSync(directory).find(name => /^licen[cs]e/i.test(name))
  if (file === undefined && license === undefined) throw new Error(`${name} has no licence`)
  const text =
    file === undefined
      ? `${license}, ${nameOf(author)}`
      : readFileSync(join(directory, file), 'utf8')
  return `${name} ${version}\n\n${text.trim()}\n`
}

function nameOf(author) {
  return typeof author === 'string' ? author : (author?.name ?? 'its authors')
}
