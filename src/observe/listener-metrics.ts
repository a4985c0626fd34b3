/** What listeners take and leave out, each under its own name. */
import { Counter, Gauge, type Registry } from 'prom-client'

export class ListenerMetrics {
  readonly #records: Counter
  readonly #refused: Counter
  readonly #connections: Gauge
  readonly #kernelDrops: Counter
  /** Asked when the metrics are read. */
  readonly #watched = new Map<string, () => number | undefined>()

  constructor(registry: Registry) {
    const registers = [registry]
    const labelNames = ['listener']
    this.#records = new Counter({
      name: 'logstrata_listener_records_total',
      help: 'Records that came by a listener, and are stored.',
      labelNames,
      registers,
    })
    this.#refused = new Counter({
      name: 'logstrata_listener_refused_total',
      help: 'Messages, datagrams and connections that a listener refused, by reason.',
      labelNames: [...labelNames, 'reason'],
      registers,
    })
    this.#connections = new Gauge({
      name: 'logstrata_listener_connections',
      help: 'Connections that are open.',
      labelNames,
      registers,
    })
    this.#kernelDrops = new Counter({
      name: 'logstrata_listener_kernel_drops_total',
      help: 'Datagrams that the kernel dropped before the service could read them.',
      labelNames,
      registers,
      collect: () => this.#askKernel(),
    })
  }

  noteRecords(listener: string, count: number): void {
    this.#records.inc({ listener }, count)
  }

  noteRefused(listener: string, reason: string, count: number): void {
    this.#refused.inc({ listener, reason }, count)
  }

  noteConnections(listener: string, count: number): void {
    this.#connections.set({ listener }, count)
  }

  /** `read` tells the drops since the socket was opened; undefined where nobody knows. */
  watchKernelDrops(listener: string, read: () => number | undefined): void {
    this.#watched.set(listener, read)
  }

  #askKernel(): void {
    this.#kernelDrops.reset()
    for (const [listener, read] of this.#watched) {
      const drops = read()
      if (drops !== undefined) this.#kernelDrops.inc({ listener }, drops)
    }
  }
}
