import t from 'tap'
import { runImport } from '../../../src/cli/import/import.ts'
import { progressLine } from '../../../src/cli/import/progress.ts'
import { fakeService } from '../fake-service.ts'
import { fakeTerminal, pipe } from '../fake-terminal.ts'

t.test('the summary for people counts, and names the first rejected lines', async t => {
  const service = await fakeService(t)
  const lines = ['{"a":1}', '{"a":2}', ...Array.from({ length: 12 }, () => '{"torn":')]
  const terminal = fakeTerminal({ stdin: pipe(`${lines.join('\n')}\n`) })
  const argv = ['--url', service.url, '--token', 'x', '--format', 'ndjson']
  t.equal(await runImport(argv, terminal), 1)

  const printed = terminal.printed().split('\n')
  t.match(
    printed[0],
    /^imported: 1 file, 2 records accepted, 12 rejected, \d+\.\d s, [\d,]+ records\/s$/,
  )
  t.equal(printed[1], '  standard input:3: json_invalid: unexpected token')
  t.equal(printed[11], '  … and 2 more rejected')
  t.equal(terminal.complained(), '', 'no progress where nobody looks')
})

t.test('--quiet prints nothing, success or not', async t => {
  const service = await fakeService(t)
  const prints = async (text: string, expectedCode: number) => {
    const terminal = fakeTerminal({ stdin: pipe(text), isTTY: true })
    const argv = ['--url', service.url, '--token', 'x', '--quiet', '--format', 'ndjson', '-']
    t.equal(await runImport(argv, terminal), expectedCode)
    t.equal(terminal.printed() + terminal.complained(), '')
  }

  await prints('{}\n', 0)
  await prints('{\n', 1)
})

t.test('progress is drawn on a terminal, within its width, and wiped at the end', async t => {
  const service = await fakeService(t)
  const dir = t.testdir({ 'a.log': 'one\ntwo\n' })
  const terminal = fakeTerminal({ isTTY: true, columns: 40 })
  t.equal(await runImport(['--url', service.url, '--token', 'x', `${dir}/a.log`], terminal), 0)

  const drawn = terminal.complained()
  t.match(drawn, / {2}0% ·+/)
  t.ok(drawn.endsWith('\r\x1b[K'))
  for (const line of drawn.split('\r')) {
    t.ok(line.replace('\x1b[K', '').length < 40)
  }
})

t.test('the progress line tells rate, volume and time left', async t => {
  const shows = (share: number | undefined, seconds: number, expected: string) =>
    t.equal(
      progressLine({ elapsedMs: seconds * 1000, recordCount: 60_000, sentBytes: 9e6, share }),
      expected,
    )

  shows(undefined, 6, '60,000 records  10,000/s  1.5 MB/s')
  shows(0, 6, '  0% ····················  60,000 records  10,000/s  1.5 MB/s')
  shows(0.25, 6, ' 25% █████···············  60,000 records  10,000/s  1.5 MB/s  0:18 left')
  shows(0.001, 6, '  0% ····················  60,000 records  10,000/s  1.5 MB/s  1:39:54 left')
  shows(1.2, 6, '100% ████████████████████  60,000 records  10,000/s  1.5 MB/s  0:00 left')
})
