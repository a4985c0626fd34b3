/**
 * Looks at certificate and key before the service does: whoever starts it hears which file is wrong, and
 * never what is in it.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ConfigError } from './settings.ts'

/** A file and the flag or variable that names it. */
export interface TlsFile {
  readonly path: string
  readonly source: string
}

/** Throws ConfigError unless TLS can be spoken with these. */
export function refuseUnusableTls(certFile: TlsFile, keyFile: TlsFile): void {
  const certText = read(certFile)
  const keyText = read(keyFile)
  const certificate = readCertificate(certFile, certText)
  const key = readKey(keyFile, keyText)
  if (!certificate.checkPrivateKey(key)) {
    throw refusal(keyFile, `is not the key of the certificate in ${JSON.stringify(certFile.path)}`)
  }
  try {
    createSecureContext({ cert: certText, key: keyText, minVersion: 'TLSv1.2' })
  } catch {
    throw refusal(certFile, 'cannot be used with its key: is every certificate in it whole?')
  }
}

function readCertificate(file: TlsFile, text: string): X509Certificate {
  try {
    if (text.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(text)
  } catch {
    // Told below.
  }
  throw refusal(file, 'does not begin with a certificate in PEM')
}

function readKey(file: TlsFile, text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (error) {
    const isLocked = (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE'
    throw refusal(file, isLocked ? 'needs a passphrase' : 'holds no private key in PEM')
  }
}

function read(file: TlsFile): string {
  try {
    return readFileSync(file.path, 'utf8')
  } catch (error) {
    throw refusal(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function refusal({ path, source }: TlsFile, what: string): ConfigError {
  return new ConfigError(source, `${source} ${JSON.stringify(path)}: the file ${what}`)
}
