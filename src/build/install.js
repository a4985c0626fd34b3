/**
 * Installs what is missing before a script of package.json runs, so that `npm start` and `npm test` work
 * in a fresh clone. Plain JavaScript, for any Node from 18 on: the pinned Node is what it installs.
 *
 *   node src/build/install.js          what the service needs, and nothing else
 *   node src/build/install.js --dev    what tests and lint need, too
 *
 * Installed means: node_modules/.package-lock.json, which npm writes as the last step of an install,
 * has every package of package-lock.json in its version, and the pinned Node is in its place where there is
 * one for this machine. That file is removed before an install, so one that was cut short is done again. No
 * output when all is there. No package's own install script is run: none is needed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const isWindows = process.platform === 'win32'
const root = fileURLToPath(new URL('../..', import.meta.url))
const installedLockfile = join(root, 'node_modules', '.package-lock.json')
const pinnedPackage = `node_modules/node-${isWindows ? 'win' : process.platform}-${process.arch}`
const pinnedNode = join(root, pinnedPackage, 'bin', isWindows ? 'node.exe' : 'node')
const needsDev = process.argv.includes('--dev')

const wanted = readPackages(join(root, 'package-lock.json'))
if (wanted === undefined) {
  stop(`package-lock.json is missing or damaged in ${root}: take it from the repository again`)
}
const reason = whyInstall(wanted)
if (reason !== undefined) {
  install(reason, countWanted())
}

/** Why an install is needed, or undefined. */
function whyInstall(wanted) {
  const installed = readPackages(installedLockfile)
  if (installed === undefined) {
    return existsSync(join(root, 'node_modules')) ? 'the last install is incomplete' : 'first start'
  }
  for (const [path, { version, integrity, optional, devOptional, dev }] of Object.entries(wanted)) {
    const found = installed[path]
    if (found === undefined) {
      // npm leaves out what is for other platforms, and tools when told so (--omit=dev).
      const mayMiss = optional || devOptional || (dev && !needsDev)
      if (!mayMiss) {
        return `${path.replace('node_modules/', '')} is missing`
      }
    } else if (found.version !== version || found.integrity !== integrity) {
      return 'package-lock.json has changed'
    }
  }
  if (Object.keys(installed).some(path => wanted[path] === undefined)) {
    return 'package-lock.json has changed'
  }
  return lacksPinnedNode() ? 'the pinned Node is missing' : undefined
}

/** Whether there is a pinned Node for this machine, and it is not in its place. */
function lacksPinnedNode() {
  return wanted[pinnedPackage] !== undefined && !existsSync(pinnedNode)
}

/** Packages that npm will install; those for other machines are among them. */
function countWanted() {
  const all = Object.values(wanted)
  return (needsDev ? all : all.filter(({ dev, devOptional }) => !dev && !devOptional)).length
}

function install(reason, packageCount) {
  say(
    `installing up to ${packageCount} packages (${reason}); this takes ${needsDev ? 'about a minute' : 'some 20 s'}, once`,
  )
  rmSync(installedLockfile, { force: true })
  const startedAt = Date.now()
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  // npm's own output goes to standard error: standard output belongs to what runs next.
  const { status, error } = spawnSync(
    'npm',
    [...flags, needsDev ? '--include=dev' : '--omit=dev'],
    {
      cwd: root,
      env: environmentForNpm(),
      stdio: ['ignore', 2, 2],
      shell: isWindows, // There npm is npm.cmd, which only a shell starts.
    },
  )
  if (error !== undefined) {
    stop(`npm could not be started (${error.code}): install npm, which comes with Node`)
  }
  if (status !== 0) {
    stop('npm ci failed, for the reason above (most often the network): mend it, then try again')
  }
  if (lacksPinnedNode()) {
    stop('npm ci left out the pinned Node: allow optional packages (npm config delete omit)')
  }
  say(`installed in ${Math.round((Date.now() - startedAt) / 1000)} s`)
}

/**
 * Without node_modules/.bin on the path, where npm run puts it: npm must not run on the very Node
 * that it is about to delete.
 */
function environmentForNpm() {
  const environment = { ...process.env }
  const bin = `${sep}node_modules${sep}.bin`
  for (const name of Object.keys(environment)) {
    if (name.toUpperCase() === 'PATH') {
      const directories = environment[name].split(delimiter)
      environment[name] = directories.filter(path => !path.endsWith(bin)).join(delimiter)
    }
  }
  return environment
}

/** The packages of a lockfile by path, without the project itself; undefined when it is unreadable. */
function readPackages(file) {
  try {
    const { '': _project, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages
    return packages
  } catch {
    return undefined
  }
}

function say(text) {
  process.stderr.write(`logstrata: ${text}\n`)
}

function stop(text) {
  say(text)
  process.exit(1)
}
