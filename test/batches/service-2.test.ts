import { runGroup } from './run-group.ts'

await runGroup('service-2')
