#!/usr/bin/env node
/**
 * The program that `logstrata` on the path starts, and `npm start`. Plain JavaScript, for any Node from
 * 18 on: it hands over to a Node that fits, with the memory policy of the service.
 *
 * Where the system can (`execve`), this process becomes that Node, and so has its signals and exit code.
 * Otherwise it stands in for a second process: signals go down, the exit code comes up.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allocatorEnvironment, machineMemoryBytes, startFlags } from '../memory-policy.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'build', 'server', 'main.js')
const argv = process.argv.slice(2)

const node = findPinnedNode(root) ?? (fits(process.versions.node) ? process.execPath : undefined)
if (!existsSync(program)) {
  stop(`not built; run: npm run build --prefix ${JSON.stringify(root)}`)
} else if (node === undefined) {
  stop(
    `needs Node 22.18 or a later 22, and this is ${process.versions.node}: install it, or run ` +
      `npm ci --prefix ${JSON.stringify(root)}, which brings one for most systems`,
  )
} else if (!isService() && fits(process.versions.node)) {
  // A command is done in a moment: a second start would be most of it.
  await import(new URL('../../build/server/main.js', import.meta.url).href)
} else {
  run(node)
}

/**
 * The native packages are built for the ABI of Node 22 and older, and zstd, with which segments are
 * written, is in Node from 22.15 on: so no other major version will do.
 */
function fits(version) {
  const [major, minor] = version.split('.').map(Number)
  return major === 22 && minor >= 18
}

/** In this project's node_modules, or hoisted into that of a project around it. */
function findPinnedNode(directory) {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(directory, 'node_modules', `node-${system}-${process.arch}`, 'bin', name)
  if (existsSync(path)) return path
  const parent = dirname(directory)
  return parent === directory ? undefined : findPinnedNode(parent)
}

/** Whether the service itself is started: it runs for months, and the memory policy is for it. */
function isService() {
  const isForHelp = argv.some(word => word === '--help' || word === '-h' || word === '--version')
  return (argv[0] === undefined || argv[0] === 'serve' || argv[0].startsWith('-')) && !isForHelp
}

function run(node) {
  const args = [
    ...(isService() ? startFlags(availableParallelism(), machineMemoryBytes) : []),
    program,
    ...argv,
  ]
  // What somebody has set already is what they want.
  const env = isService()
    ? { ...allocatorEnvironment(machineMemoryBytes), ...process.env }
    : process.env
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.execve(node, [node, ...args], env)
  } else {
    standInFor(spawn(node, args, { stdio: 'inherit', env }), node)
  }
}

function standInFor(child, node) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // ctrl-C at a terminal goes to both processes; a second one would end the child at once.
      const childHasIt = signal === 'SIGINT' && process.stdin.isTTY
      if (!childHasIt) child.kill(signal)
    })
  }
  child.on('error', error => stop(`${node} cannot be started (${error.code}); run: npm ci`))
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal])
  })
}

function stop(text) {
  process.stderr.write(`logstrata: ${text}\n`)
  process.exitCode = 1
}
