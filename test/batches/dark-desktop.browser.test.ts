import { runFiles } from '../web/run-files.ts'

await runFiles('dark-desktop')
