/** Debian's aiosmtpd as a process of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { directoryOfProcess } from '../directory-of-process.ts'
import { makeCertificate, noOpenssl } from '../service/certificate.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { freePort } from './free-port.ts'

const python = '/usr/bin/python3'
const isThere = spawnSync(python, ['-c', 'import aiosmtpd']).status === 0
/** Why there is none on this machine; false where there is. */
export const noMailServer = isThere ? noOpenssl : 'python3-aiosmtpd is not installed'

interface Mail {
  readonly from: string
  readonly to: string[]
  readonly content: string
  readonly isEncrypted: boolean
  readonly isKnown: boolean
}

/** Ends with the test. */
export async function mailServer(
  t: Pick<Test, 'teardown'>,
  mode: 'plain' | 'tls' | 'starttls',
  port?: number,
) {
  const used = port ?? (await freePort())
  const directory = directoryOfProcess(`mail-${used}`)
  mkdirSync(directory, { recursive: true })
  const certificate = makeCertificate(directory)
  const program = join(import.meta.dirname, 'mail-server.py')
  const argv = [program, String(used), certificate.cert, certificate.key, mode]
  const child = spawn(python, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithThisProcess(child)
  t.teardown(() => child.kill('SIGKILL'))
  const mails: Mail[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', line => {
    if (line === 'ready') ready.resolve()
    else mails.push(JSON.parse(line))
  })
  await ready.promise
  return { port: used, mails, certificate }
}
