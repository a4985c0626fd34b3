#!/usr/bin/env node
/**
 * The program that `logstrata` on the path starts. Plain JavaScript, for any Node from 18 on: it hands
 * over to the pinned Node, which runs TypeScript directly and fits the native packages.
 *
 * If this process is such a Node itself, it goes on without a second process. Otherwise it stands in
 * for the second one: signals go down, the exit code comes up.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const start = new URL('../start.js', import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))

const pinnedNode = findPinnedNode(root)
if (pinnedNode === undefined) {
  process.stderr.write(`logstrata: not installed; run: npm ci --prefix ${JSON.stringify(root)}\n`)
  process.exitCode = 1
} else if (runsTypeScript(process.versions.node)) {
  await import(start.href)
} else {
  runOn(pinnedNode)
}

/**
 * The native packages are built for the ABI of Node 22 and older, and Node strips types without a
 * flag (and without a warning) from 22.18 on: so no other major version will do.
 */
function runsTypeScript(version) {
  const [major, minor] = version.split('.').map(Number)
  return major === 22 && minor >= 18
}

/** In this project's node_modules, or hoisted into that of a project around it. */
function findPinnedNode(directory) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(directory, 'node_modules', 'node', 'bin', name)
  if (existsSync(path)) {
    return path
  }
  const parent = dirname(directory)
  return parent === directory ? undefined : findPinnedNode(parent)
}

function runOn(node) {
  const child = spawn(node, [fileURLToPath(start), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // ctrl-C at a terminal goes to both processes; a second one would end the child at once.
      const childHasIt = signal === 'SIGINT' && process.stdin.isTTY
      if (!childHasIt) {
        child.kill(signal)
      }
    })
  }
  child.on('error', error => {
    process.stderr.write(`logstrata: ${node} cannot be started (${error.code}); run: npm ci\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal])
  })
}
