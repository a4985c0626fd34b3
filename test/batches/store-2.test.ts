import { runGroup } from './run-group.ts'

await runGroup('store-2')
