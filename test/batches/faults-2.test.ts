import { runGroup } from './run-group.ts'

await runGroup('faults-2')
