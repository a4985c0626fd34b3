import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { adminKey, startServiceOf } from './service-process.ts'

/** Says on standard error which status was answered; a stream is listened to for a moment only. */
const toldCurl = `#!/bin/sh
PATH=$REAL_PATH curl --max-time 20 -w '%{stderr}HTTP %{http_code}\\n' "$@"
`

/** As above, for `-N`: curl's 28 says that time was up. */
const toldStream = `#!/bin/sh
case " $* " in
  *" -N "*) REAL_PATH=$REAL_PATH told-curl --max-time 1 "$@"; test $? = 28 ;;
  *) told-curl "$@" ;;
esac
`

/** The code of the page, as a reader would copy it. */
function codeOf(html: string): string[] {
  const blocks = [...html.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/g)]
  const characters = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' } as const
  return blocks.map(([, code]) =>
    code!.replaceAll(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name: keyof typeof characters) => characters[name],
    ),
  )
}

t.test('every example of the page at /docs does what it says, in its order', async t => {
  const directory = t.testdir({ data: {}, 'told-curl': toldCurl, curl: toldStream })
  chmodSync(`${directory}/told-curl`, 0o755)
  chmodSync(`${directory}/curl`, 0o755)
  const service = await startServiceOf(t, `${directory}/data`)
  const [firstSteps, ...samples] = codeOf((await service.call('GET', '/docs')).body)
  const begin = firstSteps!.replace('http://127.0.0.1:7007', service.url).replace('key_…', adminKey)
  t.match(begin, `KEY=${adminKey}`)
  t.ok(samples.length > 30, `${samples.length} examples`)

  const marked = samples.map((sample, i) => `echo "EXAMPLE ${i}" >&2\n${sample}\necho`)
  writeFileSync(`${directory}/samples.sh`, [begin, ...marked].join('\n'))
  const { stdout, stderr } = await promisify(execFile)('sh', ['-e', `${directory}/samples.sh`], {
    env: { PATH: `${directory}:${process.env.PATH}`, REAL_PATH: process.env.PATH },
    maxBuffer: 1 << 24,
  })
  const told = stderr.split(/^EXAMPLE \d+$/m).slice(1)
  t.equal(told.length, samples.length)
  samples.forEach((sample, i) => {
    const statuses = [...told[i]!.matchAll(/^HTTP (\d+)$/gm)].map(([, status]) => status!)
    t.ok(statuses.length > 0 && statuses.every(status => /^2/.test(status)), sample)
  })
  t.match(stdout, '"accepted":1')
  t.match(stdout, 'payment timed out', 'what was sent is queried back')
  t.match(stdout, 'event: record', 'and tailed')
})
