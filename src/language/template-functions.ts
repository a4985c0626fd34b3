/** The functions of templates, and how many operands each takes, the piped one among them. */

interface OperandCount {
  readonly least: number
  readonly most: number
}

const between = (least: number, most: number, ...names: string[]): [string, OperandCount][] =>
  names.map(name => [name, { least, most }])

const anyNumber = 64

export const templateFunctions: ReadonlyMap<string, OperandCount> = new Map([
  ...between(0, 0, '__line__', '__timestamp__', 'now'),
  ...between(1, 1, 'ToLower', 'ToUpper', 'TrimSpace', 'lower', 'upper', 'title', 'trim', 'not'),
  ...between(1, 1, 'len', 'b64enc', 'b64dec', 'urlencode', 'urldecode', 'int', 'float64'),
  ...between(1, 1, 'ceil', 'floor', 'duration', 'duration_seconds', 'bytes'),
  ...between(1, 1, 'unixEpoch', 'unixEpochMillis', 'unixEpochNanos', 'unixToTime'),
  ...between(2, 2, 'date', 'toDate'),
  ...between(3, 3, 'toDateInZone'),
  ...between(2, 2, 'Trim', 'TrimLeft', 'TrimRight', 'TrimPrefix', 'TrimSuffix', 'trimAll'),
  ...between(2, 2, 'trimPrefix', 'trimSuffix', 'trunc', 'repeat', 'indent', 'nindent', 'default'),
  ...between(2, 2, 'contains', 'hasPrefix', 'hasSuffix', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'),
  ...between(2, 2, 'sub', 'div', 'mod', 'count', 'alignLeft', 'alignRight'),
  ...between(2, 3, 'round'),
  ...between(3, 3, 'replace', 'substr', 'regexReplaceAll', 'regexReplaceAllLiteral'),
  ...between(4, 4, 'Replace'),
  ...between(1, anyNumber, 'and', 'or', 'print', 'printf'),
  ...between(1, anyNumber, 'add', 'mul', 'addf', 'mulf', 'max', 'min', 'maxf', 'minf'),
  ...between(2, anyNumber, 'subf', 'divf'),
])

/** Those whose first operand is a regular expression. It stands there as a text. */
export const patternFunctions: ReadonlySet<string> = new Set([
  'count',
  'regexReplaceAll',
  'regexReplaceAllLiteral',
])
