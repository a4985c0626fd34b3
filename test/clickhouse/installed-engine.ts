/** ClickHouse as a library, which `install.sh` puts into `.tap/clickhouse/`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whose folder packages are loaded from. */
export const enginePackage = join(import.meta.dirname, '../../.tap/clickhouse/package.json')

/** Why there is no engine for tests; undefined where there is one. */
export const engineMissing = existsSync(join(enginePackage, '../installed.json'))
  ? undefined
  : 'chdb is not there: bash test/clickhouse/install.sh was not run'
