import { groups } from './groups.ts'
import { runTogether } from './run-together.ts'

await runTogether(groups.query)
