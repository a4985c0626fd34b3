import t from 'tap'
import { isNetwork, networkList } from '../../../src/config/networks.ts'
import {
  addressKey,
  clientAddress,
  textOfAddress,
} from '../../../src/http/access/client-address.ts'

const ipv4 = (text: string) => Uint8Array.from(text.split('.').map(Number))
const mapped = (text: string) => Uint8Array.from([...Array(10).fill(0), 255, 255, ...ipv4(text)])
const loopback6 = Uint8Array.from([...Array(15).fill(0), 1])

t.test('the bytes of a socket become the address that people write', async t => {
  t.equal(textOfAddress(ipv4('192.0.2.1')), '192.0.2.1')
  t.equal(textOfAddress(mapped('192.0.2.1')), '192.0.2.1')
  t.equal(textOfAddress(loopback6), '0:0:0:0:0:0:0:1')
  t.equal(textOfAddress(new Uint8Array()), '', 'a socket that is gone has none')
})

t.test('IPv6 counts by its first 64 bits, IPv4 whole', async t => {
  const key = (address: string, expected: string) => t.equal(addressKey(address), expected, address)
  key('192.0.2.1', '192.0.2.1')
  key('2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64')
  key('2001:db8:1:2:ffff::', '2001:db8:1:2::/64')
  key('2001:DB8:1:2::1', '2001:db8:1:2::/64')
  key('2001:db8::1', '2001:db8:0:0::/64')
  key('::1', '0:0:0:0::/64')
  key('1::', '1:0:0:0::/64')
  key('fe80::1%eth0', 'fe80:0:0:0::/64')
  key('', '')
})

t.test('X-Forwarded-For counts only if a trusted proxy sent it', async t => {
  const trusted = networkList(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])
  const finds = (socket: Uint8Array, header: string, expected: string) =>
    t.equal(clientAddress(socket, header, trusted), expected, `${textOfAddress(socket)}: ${header}`)

  finds(ipv4('127.0.0.1'), '', '127.0.0.1')
  finds(ipv4('127.0.0.1'), '192.0.2.1', '192.0.2.1')
  finds(mapped('127.0.0.1'), '192.0.2.1', '192.0.2.1')
  finds(ipv4('127.0.0.1'), '192.0.2.1:4711', '192.0.2.1')
  finds(ipv4('127.0.0.1'), '::ffff:192.0.2.1', '192.0.2.1')
  finds(ipv4('127.0.0.1'), '[2001:db8::1]:4711', '2001:db8::1')
  finds(ipv4('127.0.0.1'), '2001:db8::1', '2001:db8::1')
  finds(ipv4('127.0.0.1'), '192.0.2.1, 10.1.2.3 , fd12::1', '192.0.2.1')
  finds(ipv4('127.0.0.1'), '198.51.100.7, 192.0.2.1', '192.0.2.1')
  finds(ipv4('127.0.0.1'), '198.51.100.7, nonsense, 10.0.0.1', '10.0.0.1')
  finds(ipv4('127.0.0.1'), 'unknown', '127.0.0.1')
  finds(ipv4('127.0.0.1'), '10.0.0.1', '10.0.0.1')
  finds(ipv4('192.0.2.9'), '198.51.100.7', '192.0.2.9')
  t.equal(clientAddress(ipv4('127.0.0.1'), '192.0.2.1', undefined), '127.0.0.1')
})

t.test('a network is an address with or without a number of bits', async t => {
  for (const good of [
    '10.0.0.0/8',
    '127.0.0.1',
    '::1',
    'fd00::/8',
    '::/0',
    '1.2.3.4/32',
    '::1/128',
  ]) {
    t.equal(isNetwork(good), true, good)
  }
  for (const bad of ['', 'localhost', '10.0.0.0/33', '10.0.0/8', '::/129', '::1/', '1.2.3.4/8/8']) {
    t.equal(isNetwork(bad), false, bad)
  }
  t.equal(isNetwork('fe80::1%eth0'), false)
  t.equal(isNetwork('1.2.3.4/-1'), false)
})
