/**
 * What pino's users write to send their logs to an HTTP service: a transport of a few lines on
 * `pino-abstract-transport`, which pino runs in a thread of its own and ends with the program.
 */
import build from 'pino-abstract-transport'

export interface PinoTransportOptions {
  readonly url: string
  readonly token: string
}

export default function transport({ url, token }: PinoTransportOptions) {
  const allSent = Promise.withResolvers<void>()
  const send = async (event: unknown) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    if (response.status !== 200) throw new Error(`answered ${response.status}`)
  }
  return build(
    async source => {
      for await (const event of source) await send(event)
      allSent.resolve()
    },
    // The program's end waits for the last event's answer.
    { close: () => allSent.promise },
  )
}
