import { runFiles } from './run-files.ts'

await runFiles('dark-phone')
