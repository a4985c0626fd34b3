/**
 * Where alerts may be sent: to public addresses, and to those that whoever runs the service allows. It
 * is the address that a connection is made to that counts, whatever name it was found under: a name may
 * have another one a moment later.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import { networkList } from '../../config/networks.ts'

/** Networks that are not public: IANA's special-purpose registries. */
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** An address to which nothing is sent. */
export class AddressRefused extends Error {}

export class Addresses {
  readonly #special = networkList(specialNetworks)
  readonly #allowed: BlockList
  readonly #resolve: Resolve

  /**
   * @param allowed Addresses and networks, checked already.
   * @param resolve Finds the addresses of a name; as the system does when absent.
   */
  constructor(allowed: readonly string[] = [], resolve: Resolve = lookup) {
    this.#allowed = networkList(allowed)
    this.#resolve = resolve
  }

  mayReach(address: string): boolean {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    return !this.#special.check(address, family) || this.#allowed.check(address, family)
  }

  /** Throws AddressRefused for a host that is written as an address: that is never looked up. */
  checkHost(host: string): void {
    const address = host.replace(/^\[|\]$/g, '')
    if (isIP(address) !== 0 && !this.mayReach(address)) throw refused(host)
  }

  /** Looks a name up for a connection; only addresses that may be reached are found. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    const asked = { ...options, all: true } as const
    this.#resolve(host, asked, (error, found) => {
      if (error !== null) return callback(error, [])
      const reachable = found.filter(({ address }) => this.mayReach(address))
      const [first] = reachable
      if (first === undefined) return callback(refused(host), [])
      if (options.all) callback(null, reachable)
      else callback(null, first.address, first.family)
    })
  }
}

function refused(host: string): AddressRefused {
  const remedy = 'whoever runs the service allows it by --alert-private-networks'
  return new AddressRefused(`${host} is a private address: ${remedy}`)
}
