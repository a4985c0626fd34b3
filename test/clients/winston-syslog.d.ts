/** The package has no types of its own: what our test uses of it. */
declare module 'winston-syslog' {
  import type { EventEmitter } from 'node:events'
  import Transport from 'winston-transport'
  export class Syslog extends Transport {
    constructor(options: object)
    socket: EventEmitter | null
  }
}
