/** The receivers that people made: encrypted as a whole in the catalog. */
import { receiversName, type Shelf } from '../../catalog/shelf.ts'
import { limits } from '../../limits.ts'
import { Made } from '../made.ts'
import type { Receiver, ReceiverConfig } from './receiver.ts'

/** A value of the collection `alert-receivers`, under its id. */
interface StoredReceiver extends Omit<Receiver, 'id' | 'config'> {
  /** The ReceiverConfig as JSON. */
  readonly encrypted: Uint8Array
}

export class Receivers extends Made<Receiver, StoredReceiver> {
  constructor(shelf: Shelf) {
    super({
      name: 'receiver',
      collection: shelf.collection(receiversName),
      thingOf(id, { encrypted, ...receiver }) {
        const text = shelf.decrypt(id, encrypted)
        const config = text === undefined ? undefined : (JSON.parse(text) as ReceiverConfig)
        return { id, ...receiver, config }
      },
      storedOf({ id, config, ...receiver }) {
        return { ...receiver, encrypted: shelf.encrypt(id, JSON.stringify(config)) }
      },
      countMax: limits.alertReceiversMax,
      unknown: 'alert_receiver_unknown',
      tooMany: 'alert_receivers_too_many',
    })
  }

  /** Under an id, or a new one. Throws as `prepareAt`. */
  prepare(id: string | undefined, name: string, config: ReceiverConfig, now: number): Receiver {
    return { name, kind: config.kind, ...this.prepareAt(id, now), config }
  }
}
