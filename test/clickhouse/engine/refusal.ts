/** How a server of ClickHouse says what went wrong: status, code and text. */

/** By the engine's codes, as the server's sources have it (`exceptionCodeToHTTPStatus`); others: 500. */
const statuses: ReadonlyMap<number, number> = new Map([
  ...both(
    400,
    [6, 25, 26, 27, 38, 41, 53, 62, 69, 72, 117, 164, 167, 168, 190, 223, 376, 441, 457],
  ),
  ...both(401, [194]),
  ...both(403, [192, 497, 516]),
  ...both(404, [16, 36, 43, 46, 47, 50, 56, 60, 73, 78, 81, 115, 456]),
  ...both(408, [159]),
  ...both(413, [229]),
  ...both(501, [48]),
  ...both(503, [76, 209]),
])

function both(status: number, codes: readonly number[]): (readonly [number, number])[] {
  return codes.map(code => [code, status] as const)
}

export interface Refusal {
  readonly status: number
  readonly code: number
  /** `Code: 60. DB::Exception: … (UNKNOWN_TABLE) (version …)` */
  readonly text: string
}

/** Of what the library has said. */
export function refusalOf(error: unknown, version: string): Refusal {
  const text = error instanceof Error ? error.message : String(error)
  const code = Number(/^Code: (\d+)\./.exec(text)?.[1] ?? 1002)
  const isMeant = text.startsWith('Code: ')
  const said = isMeant ? text : `Code: ${code}. DB::Exception: ${text}. (UNKNOWN_EXCEPTION)`
  return {
    status: statuses.get(code) ?? 500,
    code,
    text: `${said} (version ${version} (official build))\n`,
  }
}

/** What the engine would say of `name`, such as `NOT_ENOUGH_SPACE`. */
export function exception(code: number, name: string, text: string): Error {
  return new Error(`Code: ${code}. DB::Exception: ${text}. (${name})`)
}
