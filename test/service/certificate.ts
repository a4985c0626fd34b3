/** A self-signed certificate for 127.0.0.1, made by the system's openssl. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  /** Paths of files in PEM. */
  readonly cert: string
  readonly key: string
  readonly pem: string
}

/** Why tests that need a certificate are left out; false when they are not. */
export const noOpenssl =
  spawnSync('openssl', ['version']).status === 0 ? false : 'this system has no openssl'

export function makeCertificate(directory: string, name = 'own'): Certificate {
  const cert = join(directory, `${name}.crt`)
  const key = join(directory, `${name}.key`)
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
    ...['-days', '2', '-subj', '/CN=logstrata.test', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', key, '-out', cert],
  ])
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  return { cert, key, pem: readFileSync(cert, 'utf8') }
}
