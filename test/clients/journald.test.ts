/**
 * systemd's own uploader of the journal, over loopback, and what it sends, by hand. The programs are those of
 * Debian's `systemd-journal-remote` (`.ci/run` installs it); without them its tests are left out, and say so.
 */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { peakBytes } from '../faults/process-memory.ts'
import { binaryField, entryOf } from '../ingest/formats/journal-entries.ts'
import { makeCertificate, noOpenssl } from '../service/certificate.ts'
import { type ServiceProcess, startService, startServiceOf } from '../service/service-process.ts'
import { serviceOfProcess, sharedSender, sharedService } from '../service/shared-service.ts'

const run = promisify(execFile)
const uploader = '/lib/systemd/systemd-journal-upload'
const maker = '/lib/systemd/systemd-journal-remote'
const noUploader =
  spawnSync(uploader, ['--version']).error !== undefined &&
  'systemd-journal-upload is not installed'

const contentType = 'application/vnd.fdo.journal'

/** As journald has it: what every entry of a file must have, and more. */
function journalEntry(number: number, message: Buffer, more: readonly string[] = []): Buffer {
  const time = 1_795_182_936_000_000 + number
  const head = [`__REALTIME_TIMESTAMP=${time}`, `__MONOTONIC_TIMESTAMP=${number}`]
  const fields = [...head, `_BOOT_ID=${'0123456789abcdef'.repeat(2)}`, ...more]
  return Buffer.concat([Buffer.from(`${fields.join('\n')}\n`), message, Buffer.from('\n')])
}

const textEntry = (number: number, message: string) =>
  journalEntry(number, Buffer.from(`MESSAGE=${message}\n`), ['PRIORITY=6', '_HOSTNAME=web-1'])

/** Writes a journal with `entries`, as a machine has it. */
function makeJournal(path: string, entries: readonly Buffer[]): void {
  const { status, stderr } = spawnSync(maker, ['-o', path, '-'], { input: Buffer.concat(entries) })
  if (status !== 0) throw new Error(String(stderr))
}

/** `http://journal:TOKEN@127.0.0.1:7007`: the uploader has its token as a password. */
function withToken(service: Pick<ServiceProcess, 'url'>, token: string): string {
  const url = new URL(service.url)
  url.username = 'journal'
  url.password = token
  return url.href.replace(/\/$/, '')
}

t.test(
  'systemd-journal-upload sends a journal, goes on where it was',
  { skip: noUploader },
  async t => {
    const directory = t.testdir()
    const { service, token } = await sharedSender('journal-upload')
    const journal = join(directory, 'a.journal')
    const state = join(directory, 'state')
    const args = ['-u', withToken(service, token), `--file=${journal}`, `--save-state=${state}`]
    const upload = () => run(uploader, [...args, '--follow=0'])
    const odd = ['PRIORITY=3', 'SYSLOG_IDENTIFIER=shop', '_SYSTEMD_UNIT=shop.service', '_PID=7']
    makeJournal(journal, [
      textEntry(1, 'größer'),
      journalEntry(2, binaryField('MESSAGE', 'two\n\nlines'), [...odd, 'TAG=a', 'TAG=b']),
    ])
    await upload()
    const found = async () => (await service.query('logs{service.name="journal-upload"}')).body
    t.match((await found()).logs, [
      {
        ...{ timestamp: 1_795_182_936_000, log_level: 'info', message: 'größer' },
        attributes: { _HOSTNAME: 'web-1', PRIORITY: '6', timestamp_ns: '1795182936000001000' },
      },
      {
        ...{ log_level: 'error', message: 'two\n\nlines' },
        attributes: {
          ...{ SYSLOG_IDENTIFIER: 'shop', _SYSTEMD_UNIT: 'shop.service', _PID: '7' },
          ...{ TAG: /^\["[ab]","[ab]"\]$/, __CURSOR: undefined },
        },
      },
    ])
    t.match(readFileSync(state, 'utf8'), /LAST_CURSOR=/, 'it knows that all is stored')

    makeJournal(journal, [textEntry(3, 'later')])
    await upload()
    // systemd 252 begins with the entry at which it was, instead of the one behind it: that counts once.
    const messages = (await found()).logs.map(({ message }: { message: string }) => message)
    t.same(messages, ['größer', 'two\n\nlines', 'later'])
  },
)

t.test(
  'systemd-journal-upload is cut off, the service killed: what is sent again counts once',
  { skip: noUploader },
  async t => {
    const directory = t.testdir({ data: {} })
    const data = join(directory, 'data')
    const service = await startServiceOf(t, data)
    const token = await service.makeToken('upload-cut')
    const journal = join(directory, 'a.journal')
    const state = join(directory, 'state')
    const entryCount = 4_000
    const numbers = Array.from({ length: entryCount }, (_, i) => i + 1)
    makeJournal(
      journal,
      numbers.map(number => textEntry(number, `number ${number}`)),
    )
    const upload = (url: string) =>
      run(uploader, ['-u', url, `--file=${journal}`, `--save-state=${state}`, '--follow=0'])

    const passBytes = 256 * 1024
    const cutting = await startCuttingProxy(service, passBytes)
    t.teardown(() => cutting.close())
    const failed = t.rejects(upload(withToken({ url: cutting.url }, token)), 'it is cut off')
    await until(async () => (await countOf(service, 'upload-cut')) > 200, 'a part of the journal')
    cutting.cut()
    await failed
    await service.end('SIGKILL')

    const again = await startServiceOf(t, data)
    const before = await countOf(again, 'upload-cut')
    t.ok(before > 200 && before < entryCount, `${before} of ${entryCount} are there`)
    await upload(withToken(again, token))
    t.equal(await countOf(again, 'upload-cut'), entryCount)
    const distinct = 'count(count by (timestamp_ns) (logs{service.name="upload-cut"}))'
    t.equal((await again.query(distinct)).body.count, entryCount)
  },
)

/** Passes on the first `passBytes` that each client sends, and no more; `cut` ends their connections. */
async function startCuttingProxy({ url }: Pick<ServiceProcess, 'url'>, passBytes: number) {
  const sockets: Socket[] = []
  const server = createServer(client => {
    const target = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.push(client, target)
    for (const socket of [client, target]) socket.on('error', () => {})
    target.pipe(client)
    let left = passBytes
    client.on('data', bytes => {
      target.write(bytes.subarray(0, left))
      left = Math.max(0, left - bytes.length)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: () => {
      cut()
      server.close()
    },
  }
}

t.test(
  'systemd-journal-upload hears of a token that is not right',
  { skip: noUploader },
  async t => {
    const directory = t.testdir()
    const service = await sharedService()
    const journal = join(directory, 'a.journal')
    makeJournal(journal, [textEntry(1, 'not taken')])
    const url = withToken(service, 'ing_wrong')
    const { status, stderr } = spawnSync(uploader, ['-u', url, `--file=${journal}`, '--follow=0'])
    t.equal(status, 1)
    t.match(String(stderr), /failed with code 401/)
    t.notMatch(service.output.stdout + service.output.stderr, 'ing_wrong')
  },
)

t.test('systemd-journal-upload sends over TLS', { skip: noUploader || noOpenssl }, async t => {
  const directory = t.testdir({ data: {} })
  const { cert, key } = makeCertificate(directory)
  const flags = ['--tls-cert', cert, '--tls-key', key]
  const service = await startServiceOf(t, join(directory, 'data'), {
    flags,
    environment: { NODE_EXTRA_CA_CERTS: cert },
  })
  const token = await tokenOverTls(service, cert)
  const journal = join(directory, 'a.journal')
  makeJournal(journal, [textEntry(1, 'over TLS')])
  const trust = [`--trust=${cert}`, `--cert=${cert}`, `--key=${key}`]
  await run(uploader, [
    '-u',
    withToken(service, token),
    `--file=${journal}`,
    '--follow=0',
    ...trust,
  ])
  const metrics = await run('curl', ['-s', '--cacert', cert, `${service.url}/metrics`])
  t.match(metrics.stdout, /^logstrata_events_accepted_total 1$/m)
})

/** Node's own `fetch` cannot be told whom to trust once it runs. */
async function tokenOverTls(service: ServiceProcess, ca: string): Promise<string> {
  const body = '{"serviceName":"tls","environment":"test"}'
  const { stdout } = await run('curl', [
    ...['-s', '--cacert', ca, '-H', 'Content-Type: application/json', '-d', body],
    ...['-H', 'Authorization: Bearer admin-key-of-the-tests'],
    `${service.url}/api/v1/settings/ingestion-tokens`,
  ])
  return JSON.parse(stdout).token
}

/** A connection with the head of an upload, whose body has not begun. */
async function beginUpload(service: ServiceProcess, token: string): Promise<Upload> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  const answered = new Promise<string>(resolve => {
    let answer = ''
    socket.on('data', bytes => {
      answer += bytes
      if (answer.includes('\r\n\r\n')) resolve(answer)
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => {})
  })
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${contentType}`
  socket.write(`POST /upload HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const send = (bytes: Uint8Array) =>
    socket.write(
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
    )
  return { socket, answered, send, end: () => socket.write('0\r\n\r\n') }
}

interface Upload {
  readonly socket: Socket
  /** The head of the answer at least; empty when the connection ends without one. */
  readonly answered: Promise<string>
  send(bytes: Uint8Array): boolean
  end(): void
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; !(await isSo()); await sleep(20)) {
    if (Date.now() > giveUpAt) throw new Error(`${what}: waited in vain`)
  }
}

const countOf = async (service: ServiceProcess, name: string) =>
  (await service.query(`count(logs{service.name="${name}"})`)).body.count

t.test('entries are there before their body has ended', async t => {
  const { service, token } = await sharedSender('upload-live')
  const upload = await beginUpload(service, token)
  t.teardown(() => upload.socket.destroy())
  const [first, second] = [textEntry(1, 'one'), textEntry(2, 'two')]
  upload.send(Buffer.concat([first, second.subarray(0, 90)]))
  await until(async () => (await countOf(service, 'upload-live')) === 1, 'the first entry')
  upload.send(second.subarray(90))
  await until(async () => (await countOf(service, 'upload-live')) === 2, 'the second entry')
  upload.end()
  const answer = await upload.answered
  t.match(answer, /^HTTP\/1\.1 202 .*\r\n/)
  t.match(answer, /OK\.\n$/)
})

t.test('what cannot be read is left out and said; what is no entry ends the body', async t => {
  const { service, token } = await sharedSender('upload-partly')
  const send = (body: Uint8Array) =>
    service.call('POST', '/upload', { token, body, headers: { 'content-type': contentType } })
  const tooMany = Array.from({ length: 1_001 }, (_, i) => `F${i}=\n`)
  const large = entryOf('x'.repeat(3 * 1024 * 1024))
  t.match(
    await send(Buffer.concat([entryOf('a'), entryOf('b', ...tooMany), large, entryOf('c')])),
    {
      status: 202,
      body: 'OK. 2 entries cannot be read, and were left out.\n',
    },
  )
  t.match(await send(entryOf('b', ...tooMany)), { status: 202, body: /^OK\. 1 entries/ })
  t.match(await send(Buffer.concat([entryOf('d'), Buffer.from('no field\nMESSAGE=e\n\n')])), {
    status: 400,
    body: { code: 'journal_invalid' },
  })
  t.match(await send(binaryField('MESSAGE', 'torn').subarray(0, -2)), { status: 400 })
  const { body } = await service.query('logs{service.name="upload-partly"}')
  t.same(
    body.logs.map(({ message }: { message: string }) => message),
    ['a', 'c', 'd'],
  )
})

t.test('what is no journal is refused before it is read', async t => {
  const { service, token } = await sharedSender('upload-refused')
  const body = entryOf('a')
  const call = (headers: Record<string, string>, credential: string | null = token) =>
    service.call('POST', '/upload', { token: credential, body, headers })
  t.match(await call({}), { status: 415, body: { code: 'content_type' } })
  const encoded = await call({ 'content-type': contentType, 'content-encoding': 'zstd' })
  t.match(encoded, { status: 415, body: { code: 'content_encoding' } })
  t.equal(encoded.headers.get('accept-encoding'), 'identity')
  t.match(await call({ 'content-type': contentType }, null), { status: 401 })
  t.match(await call({ 'content-type': contentType }, 'ing_x'), { status: 401 })
  t.equal(await countOf(service, 'upload-refused'), 0)
})

t.test('a token that is deleted ends a body that is under way', async t => {
  const service = await sharedService()
  const made = await service.call('POST', '/api/v1/settings/ingestion-tokens', {
    body: { serviceName: 'upload-deleted', environment: 'test' },
  })
  const upload = await beginUpload(service, made.body.token)
  t.teardown(() => upload.socket.destroy())
  upload.send(entryOf('taken'))
  await until(async () => (await countOf(service, 'upload-deleted')) === 1, 'the first entry')
  await service.call('DELETE', `/api/v1/settings/ingestion-tokens/${made.body.id}`)
  upload.send(entryOf('not taken'))
  t.match(await upload.answered, /^HTTP\/1\.1 401 /)
  t.equal(await countOf(service, 'upload-deleted'), 1)
})

t.test('a service that stops tells its uploads, and has stored what it read', async t => {
  const directory = t.testdir()
  const service = await startServiceOf(t, directory)
  const upload = await beginUpload(service, await service.makeToken('upload-stop'))
  t.teardown(() => upload.socket.destroy())
  upload.send(entryOf('stored'))
  await until(async () => (await countOf(service, 'upload-stop')) === 1, 'the entry')
  const ended = service.end('SIGTERM')
  t.match(await upload.answered, /^HTTP\/1\.1 503 /)
  t.equal(await ended, 0)
})

/** Its error, such as a reset, is told by 'close', too. */
async function drainedOrClosed(socket: Socket): Promise<void> {
  if (socket.destroyed) return
  const either = new AbortController()
  const events = ['drain', 'close'].map(event => once(socket, event, { signal: either.signal }))
  await Promise.race(events).catch(() => {})
  either.abort()
  await Promise.allSettled(events)
}

t.test('kill -9 within a body keeps a beginning of it, without a hole', async t => {
  const directory = t.testdir()
  const service = await startService(directory)
  const token = await service.makeToken('upload-killed')
  const upload = await beginUpload(service, token)
  let sent = 0
  const isOpen = () => !upload.socket.destroyed
  const sending = (async () => {
    while (isOpen()) {
      const entries = Array.from({ length: 50 }, () => textEntry(sent, `number ${sent++}`))
      if (upload.send(Buffer.concat(entries))) await sleep(1)
      else await drainedOrClosed(upload.socket)
    }
  })()
  await until(async () => (await countOf(service, 'upload-killed')) >= 2_000, 'some entries')
  await service.end('SIGKILL')
  await sending
  const again = await startServiceOf(t, directory)
  const count = await countOf(again, 'upload-killed')
  t.ok(count >= 2_000 && count <= sent, `${count} of ${sent}`)
  const query = `logs{service.name="upload-killed"} |~ "^number ${count - 1}$"`
  t.equal((await again.query(query)).body.count, 1, 'no more than a beginning, and each entry once')
})

// Each takes its time, and most of it is waiting.
t.test('an upload that goes on and on', { jobs: 2 }, async t => {
  t.test('takes no more memory as it does', { buffered: true }, endlessTakesNoMore)
  t.test('lives though it is slower than 16 KiB/s', { buffered: true }, slowLives)
})

async function endlessTakesNoMore(t: Test): Promise<void> {
  const boundMib = 288
  const directory = t.testdir()
  let grownMib = await mibWhile384Came(t, join(directory, 'first'))
  // A collector that comes late was seen with 372 on a busy machine; what is kept would be there again.
  if (grownMib >= boundMib) grownMib = await mibWhile384Came(t, join(directory, 'again'))
  t.ok(grownMib < boundMib, `${Math.round(grownMib)} MiB more while 384 came`)
}

/** By how much a service's memory grows while so many MiB come in one body, of which 64 came before. */
async function mibWhile384Came(t: Test, directory: string): Promise<number> {
  const flags = ['--journal-file-bytes', '4MiB']
  const service = await startServiceOf(t, directory, { flags })
  const upload = await beginUpload(service, await service.makeToken('upload-endless'))
  t.teardown(() => upload.socket.destroy())
  const mib = 1024 * 1024
  const field = Buffer.from(`FIELD=${'x'.repeat(mib / 8)}\n`)
  let sent = 0
  const send = async (bytes: Uint8Array) => {
    sent += bytes.length
    if (!upload.send(bytes)) await drainedOrClosed(upload.socket)
  }
  // Entries, and then one beyond every limit, which is left out.
  let entryCount = 0
  while (sent < 64 * mib) await send(entryOf(`${entryCount++}`, field.toString()))
  const before = peakBytes(service.pid)
  while (sent < 256 * mib) await send(entryOf(`${entryCount++}`, field.toString()))
  await send(Buffer.from('MESSAGE=too large\n'))
  while (sent < 448 * mib) await send(field)
  await send(Buffer.from('\n'))
  const grown = peakBytes(service.pid) - before
  upload.end()
  t.match(await upload.answered, /^HTTP\/1\.1 202 [\s\S]* 1 entries cannot be read/)
  t.equal(await countOf(service, 'upload-endless'), entryCount)
  return grown / mib
}

async function slowLives(t: Test): Promise<void> {
  const service = await serviceOfProcess('slow-upload')
  const upload = await beginUpload(service, await service.makeToken('upload-slow'))
  t.teardown(() => upload.socket.destroy())
  upload.send(entryOf('first'))
  await sleep(13_000) // uWebSockets looks after its time of 10 s each fourth second.
  upload.send(entryOf('second'))
  upload.end()
  t.match(await upload.answered, /^HTTP\/1\.1 202 /)
  t.equal(await countOf(service, 'upload-slow'), 2)
}
