import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const program = fileURLToPath(new URL('../../bench/machine-share.ts', import.meta.url))

t.test('what a process waits that only wakes and syncs is told, and its file is gone', async t => {
  const directory = t.testdir()
  const argv = [program, join(directory, 'share'), '0.2']
  const share = JSON.parse(String(execFileSync(process.execPath, argv)))
  t.same(Object.keys(share), ['lateP50Ms', 'lateP99Ms', 'syncP50Ms', 'syncP99Ms'])
  t.ok(share.syncP50Ms > 0 && share.syncP50Ms <= share.syncP99Ms, 'a sync takes some time')
  t.ok(share.lateP50Ms <= share.lateP99Ms)
  t.same(fs.readdirSync(directory), [])
})
