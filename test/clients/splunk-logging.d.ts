/** The package has no types of its own: what our test uses of it. */
declare module 'splunk-logging' {
  class Logger {
    constructor(options: object)
    error: (error: unknown) => void
    send(context: object): void
    flush(callback: (error: unknown, response: unknown, body: unknown) => void): void
  }
  const splunk: { readonly Logger: typeof Logger }
  export default splunk
}
