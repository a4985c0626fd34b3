import { runGroup } from './run-group.ts'

await runGroup('clickhouse-3')
