/**
 * Columns of OpenTelemetry's exporter that say in other words what our own columns say: computed when they
 * are asked for. Stored, they cost the server a fifth of what it does for a record, most of it in merges.
 */
import { levels } from '../../levels.ts'
import type { Connection } from './connection.ts'
import type { Layout } from './layout.ts'

/** OpenTelemetry's numbers of our kinds of levels. */
const severityNumbers = { fatal: 21, error: 17, warn: 13, info: 9, debug: 5 } as const

const numberByLevel = levels
  .map(({ name, kind }) => `'${name}', ${severityNumbers[kind]}`)
  .join(', ')

/** Each with its type and what it is. */
export const computedColumns = {
  SeverityText: ['LowCardinality(String)', 'Level'],
  SeverityNumber: ['UInt8', `CAST(map(${numberByLevel}), 'Map(String, UInt8)')[Level::String]`],
  ResourceAttributes: [
    'Map(LowCardinality(String), String)',
    `map('service.name', ServiceName::String,
        'deployment.environment.name', Environment::String)`,
  ],
} as const

type Column = keyof typeof computedColumns

interface Stored {
  readonly column: Column
  readonly hasCodec: number
}

/**
 * Statements after which no table stores them; parts lose them with their next merge. None where they are
 * not stored, as after a start that was cut. Throws ClickHouseFailed.
 */
export async function computingStatements(
  layout: Layout,
  connection: Pick<Connection, 'rows'>,
): Promise<readonly string[]> {
  const statements: string[] = []
  for (const table of layout.logsTables) {
    const stored = await connection.rows<Stored>({
      query: `SELECT name AS column, name = 'ResourceAttributes' AS hasCodec FROM system.columns
        WHERE database = currentDatabase() AND table = '${table}' AND default_kind = 'DEFAULT'
          AND name IN ('${Object.keys(computedColumns).join("', '")}')`,
    })
    for (const { column, hasCodec } of stored) {
      const [type, value] = computedColumns[column]
      // What is not stored has no codec.
      const first = Number(hasCodec) === 1 ? `MODIFY COLUMN ${column} REMOVE CODEC, ` : ''
      const change = `${first}MODIFY COLUMN ${column} ${type} ALIAS ${value}`
      statements.push(`ALTER TABLE ${table}${layout.onCluster} ${change}`)
    }
  }
  return statements
}
