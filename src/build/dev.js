/**
 * `npm run dev [-- FLAGS…]`: the service from its sources as they are, started again whenever one of them
 * changes, and the page, built again whenever one of its own does. Ends with the service.
 */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './outputs.js'
import { buildPage } from './page.js'

/** Editors write a file in several steps. */
const quietMs = 50

await build()
let timer
watch(join(root, 'src', 'web'), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(build, quietMs)
})

const flags = ['--watch', '--watch-preserve-output', join(root, 'src', 'main.ts'), 'serve']
const service = spawn(process.execPath, [...flags, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal))
service.on('exit', code => process.exit(code ?? 1))

async function build() {
  try {
    if (await buildPage()) say('built the page')
  } catch (error) {
    say(`the page was not built: ${error.message}`)
  }
}

function say(text) {
  process.stderr.write(`logstrata: ${text}\n`)
}
