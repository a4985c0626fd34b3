/**
 * Why a command cannot do what it was asked. The message is for the user: what happened, and what to
 * do about it. `runCommand` prints it and ends with its exit code.
 */
export class CommandError extends Error {
  /** 1: it failed. 2: what was asked for cannot be right. */
  readonly exitCode: 1 | 2

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: 1 | 2 } = {}) {
    super(message, options)
    this.name = 'CommandError'
    this.exitCode = options.exitCode ?? 1
  }
}
