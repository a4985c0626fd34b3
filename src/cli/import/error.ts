/** Why an import cannot continue. The message is for the user: what happened, and what to do about it. */
export class ImportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ImportError'
  }
}
