/** Debian's ZooKeeper, which Java runs: what replicated tables and `ON CLUSTER` need. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { freeServerPort } from '../../alerts/free-port.ts'
import { endWithThisProcess } from '../../service/end-with-this-process.ts'
import { until } from '../../until.ts'

const program = '/usr/share/java/zookeeper.jar'

/** Why there is none; undefined where there is one. */
export const zooKeeperMissing =
  existsSync(program) && spawnSync('java', ['-version']).status === 0
    ? undefined
    : 'zookeeper is not installed'

/** Resolves with its port on loopback when it answers. Ends with the test, and with this process. */
export async function startZooKeeper(t: Test, directory: string): Promise<number> {
  mkdirSync(directory)
  const port = await freeServerPort()
  const config = join(directory, 'zoo.cfg')
  const lines = [
    `dataDir=${directory}/data`,
    `clientPort=${port}`,
    'clientPortAddress=127.0.0.1',
    'admin.enableServer=false',
    // ms: a session of a server that was killed ends after two of them.
    'tickTime=1000',
  ]
  writeFileSync(config, lines.join('\n'))
  const main = 'org.apache.zookeeper.server.ZooKeeperServerMain'
  // It lives for some seconds: code that is compiled well and collectors of garbage side by side do not pay.
  const briefly = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
  const child = spawn('java', [...briefly, '-cp', program, main, config], { stdio: 'ignore' })
  endWithThisProcess(child)
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  await until(() => serves(port))
  return port
}

/** It listens before it does: 18.16 ends by a fault when it is turned away then. */
async function serves(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1', () => socket.write('srvr'))
  // What comes while it starts may never be answered.
  socket.setTimeout(500, () => socket.destroy(new Error('no answer')))
  const answer = await text(socket).catch(() => '')
  return answer.includes('Mode: standalone')
}
