import { runGroup } from './run-group.ts'

await runGroup('http-1')
