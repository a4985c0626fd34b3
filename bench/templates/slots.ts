/**
 * What stands in a template's `{slots}`: numbers, ids, addresses, names. `compileTemplate` turns a
 * template into a function that makes one message after another.
 *
 * Some values are not ASCII (people, cities), as in real logs.
 */
import type { Random } from '../random.ts'

type MakeText = () => string

const words = (
  'alpha amber apollo atlas basket billing birch bravo cedar cobalt coral delta ember falcon ' +
  'feed flux garnet harbor indigo jade juniper kestrel lagoon lotus maple marlin nimbus onyx ' +
  'opal orchid pearl pepper quartz raven saffron sierra tundra umber velvet willow zephyr'
).split(' ')
const users =
  'root admin deploy alice bob carol dave erin frank grace heidi ivan judy mallory'.split(' ')
const names = [
  'Ada Byron',
  'Zoë Müller',
  'Łukasz Żak',
  '李雷',
  'José Núñez',
  'Иван Петров',
  'O’Neil',
]
const cities = ['Köln', 'Zürich', 'São Paulo', '東京', 'Kraków', 'Oslo', 'Lyon', 'Århus', 'Wien']
const tables = 'orders order_lines customers products stock_moves sessions invoices'.split(' ')
const methods = 'password publickey passkey keyboard-interactive'.split(' ')
const pops = 'FRA1 AMS2 CDG1 LHR3 IAD1 NRT2'.split(' ')
const locales = 'de-DE en-GB fr-FR pl-PL pt-BR ja-JP'.split(' ')
const folders = 'api/v1/products api/v1/basket api/v2/search account/orders img/large docs'.split(
  ' ',
)
const extensions = 'csv json parquet jpg pdf'.split(' ')

/** The 40 machines that all services run on. */
export const hosts: readonly string[] = Array.from(
  { length: 40 },
  (_, index) => `node-${String(index + 1).padStart(2, '0')}.fra1.example.internal`,
)

/** One maker per slot name. `n4` is a number of up to four digits, and so on. */
export function makeSlots(random: Random): Readonly<Record<string, MakeText>> {
  const { below, skewedBelow, pick, hex } = random
  return {
    n2: () => String(below(32)),
    n3: () => String(below(512)),
    n4: () => String(skewedBelow(10_000)),
    n8: () => String(10_000_000 + below(90_000_000)),
    line: () => String(1 + below(900)),
    bytes: () => String(skewedBelow(8_000_000)),
    ms: () => (skewedBelow(400_000) / 100).toFixed(2),
    money: () => (skewedBelow(90_000) / 100).toFixed(2),
    port: () => String(1_024 + below(64_512)),
    ip: () => `10.${below(64)}.${below(256)}.${below(256)}`,
    hex4: () => hex(4),
    hex8: () => hex(8),
    hex16: () => hex(16),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(4).slice(1)}-a${hex(4).slice(1)}-${hex(12)}`,
    order: () => `ORD-2026-${100_000 + below(900_000)}`,
    sku: () => `SKU-${1_000 + skewedBelow(9_000)}-${pick('ABCDEF'.split(''))}`,
    path: () => `/${pick(folders)}/${skewedBelow(100_000)}`,
    file: () => `/srv/data/${pick(words)}/2026-11-${10 + below(20)}.${pick(extensions)}`,
    word: () => pick(words),
    user: () => pick(users),
    email: () => `${pick(users)}.${skewedBelow(50_000)}@example.org`,
    name: () => pick(names),
    city: () => pick(cities),
    table: () => pick(tables),
    method: () => pick(methods),
    pop: () => pick(pops),
    locale: () => pick(locales),
    host: () => pick(hosts),
  }
}

/** Throws when the template names a slot that does not exist: a mistake in `templates/`. */
export function compileTemplate(
  template: string,
  slots: Readonly<Record<string, MakeText>>,
): MakeText {
  // Splitting by a capturing group gives static text and slot names in turn.
  const pieces = template.split(/\{([a-z]+[0-9]*)\}/)
  const statics = pieces.filter((_, index) => index % 2 === 0)
  const makers = pieces
    .filter((_, index) => index % 2 === 1)
    .map(name => {
      const maker = slots[name]
      if (maker === undefined) {
        throw new Error(`template has the unknown slot {${name}}: ${template}`)
      }
      return maker
    })

  return () => {
    let message = statics[0]!
    for (const [index, make] of makers.entries()) {
      message += make() + statics[index + 1]!
    }
    return message
  }
}
