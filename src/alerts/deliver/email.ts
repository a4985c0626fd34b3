/**
 * E-mail by SMTP. The connection is made here, to an address that may be reached; what is spoken on it is
 * nodemailer's, which is loaded when the first mail is sent.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { EmailConfig } from '../receivers/receiver.ts'
import { DeliveryFailed } from './delivery-failed.ts'
import type { AlertsNotice, Notice } from './notice.ts'
import { namedAlerts, subjectLine } from './plain-text.ts'
import type { SendContext } from './send-context.ts'

/** Throws DeliveryFailed, or what the connection throws. */
export async function sendEmail(
  config: EmailConfig,
  notice: Notice & { readonly content: AlertsNotice },
  context: SendContext,
): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const { host, port, tls, user, password = '', from, to } = config
  const { timeoutMs, signal } = context
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const connection = await connectTo(config, context, ends)
  const abort = () => connection.destroy(new Error(`no answer within ${timeoutMs} ms`))
  ends.addEventListener('abort', abort, { once: true })
  const transport = createTransport({
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { servername: host },
    ...(user !== undefined && { auth: { user, pass: password } }),
    getSocket: (_, callback) => callback(null, { connection }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: subjectLine(notice.content),
      text: textOf(notice.content, context.publicUrl),
      // The same each time, so that a mailbox shows one.
      messageId: `<${notice.key}@logstrata>`,
      date: new Date(notice.createdAt),
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } catch (error) {
    throw failureOf(error as SmtpError)
  } finally {
    ends.removeEventListener('abort', abort)
    transport.close()
    connection.destroy()
  }
}

async function connectTo(
  { host, port }: EmailConfig,
  { addresses }: SendContext,
  ends: AbortSignal,
): Promise<Socket> {
  addresses.checkHost(host)
  const socket = connect({ host, port, lookup: addresses.lookup })
  try {
    await once(socket, 'connect', { signal: ends })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
}

/** What the server says of this very message is final; what it says of us may be mended. */
function failureOf(error: SmtpError): DeliveryFailed {
  const { code = '', responseCode = 0, message } = error
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  return new DeliveryFailed(message, { isFinal: isOfMessage && responseCode >= 500 })
}

function textOf(content: AlertsNotice, publicUrl: string): string {
  const { named, leftCount } = namedAlerts(publicUrl, content)
  const paragraphs = named.map(({ status, text, labels, link }) =>
    [`${status}: ${text}`, labels, link].filter(line => line !== '').join('\n'),
  )
  if (leftCount > 0) paragraphs.push(`… and ${leftCount} more`)
  return `${paragraphs.join('\n\n')}\n`
}
