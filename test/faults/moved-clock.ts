/** Preloaded into a service: its wall clock shows what a file says, and stands still until that changes. */
import fs from 'node:fs'

const path = process.env.MOVED_CLOCK
if (path === undefined) throw new Error('MOVED_CLOCK names the file with the time, Unix ms')
Date.now = () => Number(fs.readFileSync(path, 'utf8'))
