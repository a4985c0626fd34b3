import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { ServiceProcess } from '../service/service-process.ts'
import { browserTest, siteOfFile } from './browser.ts'

const site = siteOfFile({ isEmpty: true, canRestart: true })

/** Sends events of a new token, as one frame of the journal. */
async function send(service: ServiceProcess, count: number): Promise<void> {
  const token = await service.makeToken()
  const body = Array.from({ length: count }, (_, i) => ({ message: `${i}` }))
  await service.send(token, body)
}

browserTest(t, 'storage shows what there is, and how fast it grows', async t => {
  const { open, service } = await site()
  await send(service, 1_234)
  const { page } = await open({ role: 'viewer', path: '/settings/api-keys' })
  // The second look waits until the first one was seen.
  let looks = 0
  let release = () => {}
  const seen = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/v1/settings/storage', async route => {
    looks += 1
    if (looks > 1) await seen
    await route.continue()
  })
  await page.getByRole('link', { name: 'Storage', exact: true }).click()
  await page.getByText('measuring…').waitFor()
  release()
  await page.getByText('0 events/s').waitFor()
  await page.getByText('1,234', { exact: true }).first().waitFor()
  await page.getByText('kept for ever').waitFor()
  const free = page.locator('.storage-stat', { hasText: 'on the disk that has the data' })
  t.match(await free.innerText(), /^Free\s+[\d.,]+ [KMGT]iB\s+of [\d.,]+ [KMGT]iB/)
  const { disk } = (await service.call('GET', '/api/v1/settings/storage')).body
  t.ok(disk.freeBytes > 0 && disk.freeBytes < disk.totalBytes)
  await send(service, 500)
  await page.getByText(/^[1-9]\d* events\/s$/).waitFor()
})

browserTest(t, 'storage shows what was damaged', async t => {
  const { open, service, dataDir, restart } = await site()
  for (let i = 0; i < 3; i++) await send(service, 10)
  const { page } = await open({ role: 'viewer', path: '/settings/storage' })
  const damaged = page.locator('.storage-stat', { hasText: 'Damaged' })
  t.match(await damaged.innerText(), 'nothing')

  await service.end('SIGKILL')
  const path = join(dataDir, 'journal', '00000001.log')
  const bytes = readFileSync(path)
  bytes[bytes.length - 10]! ^= 4
  writeFileSync(path, bytes)
  await restart()
  await page.getByText('Some of the data could not be read').waitFor()
  t.match(await damaged.innerText(), /1 part\s+[\d.,]+ K?i?B in quarantine/)
  t.equal(await page.getByText('Everything is working').count(), 0)
})
