import { runFiles } from './run-files.ts'

await runFiles('light-desktop')
