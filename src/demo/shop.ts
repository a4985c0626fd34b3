/**
 * The shop that the demo is about: its services, what they run on, and who buys there. Everything is
 * made up; the addresses and names belong to nobody.
 */

export const services = [
  'gateway',
  'checkout',
  'payments',
  'search',
  'inventory',
  'mailer',
] as const

export type ServiceName = (typeof services)[number]

/** Where customers buy. */
export const shopEnvironment = 'demo'
/** Where a test buys something twice a minute, in three of the services. */
export const stagingEnvironment = 'demo-staging'

export type EnvironmentName = typeof shopEnvironment | typeof stagingEnvironment

export const stagingServices: readonly ServiceName[] = ['gateway', 'checkout', 'payments']

/** One process of a service, as an orchestrator names it. */
export const hosts: Readonly<Record<ServiceName, readonly [string, ...string[]]>> = {
  gateway: ['gateway-6c9f7-x2k4q', 'gateway-6c9f7-m8d1z'],
  checkout: ['checkout-7d4b8-p5w9n', 'checkout-7d4b8-c3h7t', 'checkout-7d4b8-r6j2v'],
  payments: ['payments-5f8c6-b4n8s', 'payments-5f8c6-k9g3f'],
  search: ['search-0', 'search-1', 'search-2'],
  inventory: ['inventory-84d5c-q7v2l', 'inventory-84d5c-z1x6m'],
  mailer: ['mailer-59b7d-w8t4k'],
}

export const plans = ['free', 'free', 'free', 'plus', 'plus', 'business'] as const

export const searchWords = [
  'desk lamp',
  'running shoes',
  'coffee grinder',
  'usb-c cable',
  'rain jacket',
  'notebook a5',
  'espresso cups',
  'Kopfhörer',
  'garden hose',
  'board game',
] as const

export const warehouses = ['ams1', 'ber2', 'lyon1'] as const
