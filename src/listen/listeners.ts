/** Opens every listener that the settings name, and closes them. */

import type { Config } from '../config/config.ts'
import type { ListenerSetting } from '../config/listener-setting.ts'
import type { Health } from '../health.ts'
import { BodyMemory } from '../ingest/body-memory.ts'
import { limits } from '../limits.ts'
import { DatagramListener } from './datagram-listener.ts'
import { type ListenDependencies, Listener } from './listener.ts'
import { forwardProtocol } from './protocols/forward.ts'
import { gelfProtocol } from './protocols/gelf.ts'
import type { Protocol } from './protocols/protocol.ts'
import { syslogProtocol } from './protocols/syslog.ts'
import { type CertificateFiles, StreamListener } from './stream-listener.ts'

type ListenConfig = CertificateFiles &
  Pick<
    Config,
    'syslog' | 'forward' | 'gelf' | 'forwardSharedKey' | 'eventBytesMax' | 'batchBytesMax'
  >

export interface ListenOptions extends Omit<ListenDependencies, 'memory' | 'config'> {
  readonly config: ListenConfig
  readonly health: Pick<Health, 'watch'>
}

export interface Listeners {
  /** As in the log and metrics: `syslog tcp://0.0.0.0:5514`. */
  readonly names: readonly string[]
  /** Takes no more, and resolves when all that was read is stored. */
  close(): Promise<void>
}

/** Resolves when all listen; none is left open when one cannot. The error names its address. */
export async function openListeners(options: ListenOptions): Promise<Listeners> {
  const { health, ...given } = options
  const { config } = given
  const dependencies = { ...given, memory: new BodyMemory(limits.listenersHoldBytesMax) }
  const listeners = settingsOf(config).map(
    ([protocol, setting]) => new Listener(protocol, setting, dependencies),
  )
  const open: (StreamListener | DatagramListener)[] = []
  const close = async () => {
    await Promise.all(open.map(one => one.close()))
  }
  for (const listener of listeners) {
    const isStream = listener.setting.transport !== 'udp'
    const one = isStream ? new StreamListener(listener, config) : new DatagramListener(listener)
    try {
      await one.listen()
    } catch (cause) {
      await close()
      const { protocol, setting } = listener
      const where = `${setting.transport}://${setting.host}:${setting.port}`
      const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
      throw new Error(`cannot listen for ${protocol.name} at ${where}: ${reason}`, { cause })
    }
    open.push(one)
    if (listener.complaint !== undefined) {
      given.logger.warn({ listener: listener.name }, listener.complaint)
    }
  }
  health.watch('listener_without_token', () => complaintsOf(listeners))
  return { names: listeners.map(({ name }) => name), close }
}

function settingsOf(config: ListenConfig): (readonly [Protocol, ListenerSetting])[] {
  const settings: readonly (readonly [Protocol, readonly ListenerSetting[] | undefined])[] = [
    [syslogProtocol(config), config.syslog],
    [forwardProtocol(config), config.forward],
    [gelfProtocol(config), config.gelf],
  ]
  return settings.flatMap(([protocol, of]) => (of ?? []).map(one => [protocol, one] as const))
}

function complaintsOf(listeners: readonly Listener[]): string | undefined {
  const complaints = listeners.flatMap(({ complaint }) => complaint ?? [])
  return complaints.length === 0 ? undefined : complaints.join('; ')
}
