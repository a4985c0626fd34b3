/**
 * What customers do, as the events that their requests leave behind in each service they reach. The
 * gateway's line comes last: it knows how the whole request went.
 */
import { searchWords, warehouses } from './shop.ts'
import type { Step, Trace } from './trace.ts'

type Journey = (trace: Trace) => void

interface Route {
  readonly method: 'GET' | 'POST'
  readonly route: string
}

const search: Journey = trace => {
  const { chance } = trace
  const words = chance.pick(searchWords)
  const step = trace.step('search', 38)
  const hits = chance.skewed(24)
  const about = { duration_ms: step.durationMs, query: words, hits, shards: 3 }
  if (step.error !== undefined) {
    trace.say('search', 'error', `query failed: ${step.error.message}`, {
      ...about,
      error: step.error,
    })
  } else if (step.durationMs > 250) {
    trace.say('search', 'warn', `slow query: "${words}" took ${step.durationMs} ms`, about)
  } else {
    trace.say(
      'search',
      'info',
      `query "${words}" found ${hits} products in ${step.durationMs} ms`,
      about,
    )
  }
  answer(trace, { method: 'GET', route: '/api/search' }, [step])
}

const product: Journey = trace => {
  const steps = [stock(trace)]
  answer(trace, { method: 'GET', route: '/api/products/{id}' }, steps)
}

const cart: Journey = trace => {
  const { chance } = trace
  const looked = stock(trace)
  const step = trace.step('checkout', 22)
  const items = chance.between(1, 7)
  const about = { duration_ms: step.durationMs, cart: { id: chance.hex(12), items } }
  if (step.error === undefined) {
    trace.say('checkout', 'info', `cart of customer ${trace.customer.id} has ${items} items`, about)
  } else {
    const text = `cart could not be saved: ${step.error.message}`
    trace.say('checkout', 'error', text, { ...about, error: step.error })
  }
  answer(trace, { method: 'POST', route: '/api/cart' }, [looked, step])
}

/** Buys something; a customer, or the test in staging. */
export const checkout: Journey = trace => {
  const { chance } = trace
  const order = Math.floor(trace.time / 100) % 10_000_000
  const amount = chance.skewed(4_200) / 100
  trace.say('checkout', 'info', `order ${order} begun`, { order, amount, currency: 'EUR' })
  const paid = pay(trace, order, amount)
  const step = trace.step('checkout', 60)
  const about = { duration_ms: step.durationMs + paid.durationMs, order }
  const error = paid.error ?? step.error
  if (error === undefined) {
    trace.say('checkout', 'info', `order ${order} placed: ${amount.toFixed(2)} EUR`, about)
    mail(trace, order)
  } else {
    trace.say('checkout', 'error', `order ${order} failed: ${error.message}`, { ...about, error })
  }
  answer(trace, { method: 'POST', route: '/api/checkout' }, [paid, step])
}

function pay(trace: Trace, order: number, amount: number): Step {
  const { chance } = trace
  const step = trace.step('payments', 180)
  const provider = chance.pick(['northpay', 'northpay', 'cardia'])
  const about = { duration_ms: step.durationMs, order, amount, provider }
  if (step.error !== undefined) {
    const text = `charge of order ${order} at ${provider} failed: ${step.error.message}`
    trace.say('payments', 'error', text, { ...about, error: { ...step.error, retryable: true } })
  } else if (chance.happens(0.05)) {
    trace.say('payments', 'warn', `card declined for order ${order}: insufficient funds`, about)
  } else {
    const text = `charged ${amount.toFixed(2)} EUR for order ${order} at ${provider}`
    trace.say('payments', 'info', text, about)
  }
  return step
}

function mail(trace: Trace, order: number): void {
  const step = trace.step('mailer', 90)
  const template = 'order_confirmation'
  const about = { duration_ms: step.durationMs, order, template }
  if (step.error === undefined) {
    trace.say('mailer', 'info', `sent ${template} for order ${order}`, about)
  } else {
    const text = `${template} for order ${order} is tried again in 60 s: ${step.error.message}`
    trace.say('mailer', 'warn', text, { ...about, error: step.error })
  }
}

function stock(trace: Trace): Step {
  const { chance } = trace
  const step = trace.step('inventory', 9)
  const left = chance.skewed(40) - 3
  const sku = `SKU-${chance.between(1_000, 1_400)}`
  const about = { duration_ms: step.durationMs, sku, warehouse: chance.pick(warehouses) }
  if (step.error !== undefined) {
    const text = `stock of ${sku} is unknown: ${step.error.message}`
    trace.say('inventory', 'error', text, { ...about, error: step.error })
  } else if (left <= 3) {
    trace.say('inventory', 'warn', `${sku} is nearly sold out: ${Math.max(left, 0)} left`, about)
  } else if (chance.happens(0.4)) {
    trace.say('inventory', 'debug', `stock of ${sku}: ${left}`, about)
  }
  return step
}

const orders: Journey = trace => {
  const step = trace.step('checkout', 30)
  if (step.error !== undefined) {
    const text = `orders of customer ${trace.customer.id} could not be read: ${step.error.message}`
    trace.say('checkout', 'error', text, { duration_ms: step.durationMs, error: step.error })
  }
  answer(trace, { method: 'GET', route: '/api/orders' }, [step])
}

const login: Journey = trace => {
  const step = trace.step('gateway', 45)
  const isWrong = trace.chance.happens(0.08)
  if (isWrong) {
    const ip = `198.51.100.${trace.chance.between(2, 250)}`
    trace.say('gateway', 'warn', `login of customer ${trace.customer.id} refused`, {
      client: { ip },
    })
  }
  answer(trace, { method: 'POST', route: '/api/login' }, [step], isWrong ? 401 : 200)
}

const health: Journey = trace => {
  answer(trace, { method: 'GET', route: '/health' }, [{ durationMs: 1, error: undefined }])
}

/** The gateway's own work, and its line for the whole request. `status`: when nothing failed. */
function answer(
  trace: Trace,
  { method, route }: Route,
  steps: readonly Step[],
  status = 200,
): void {
  const own = route === '/health' ? undefined : trace.step('gateway', 4)
  const all = own === undefined ? steps : [...steps, own]
  const durationMs = all.reduce((sum, step) => sum + step.durationMs, 0)
  const error = all.find(step => step.error !== undefined)?.error
  const isDeadline = error?.type === 'DeadlineExceeded'
  const statusCode = error === undefined ? status : isDeadline ? 504 : 502
  const level = statusCode >= 500 ? 'error' : route === '/health' ? 'debug' : 'info'
  trace.say('gateway', level, `${method} ${route} ${statusCode} ${durationMs} ms`, {
    http: { method, route, status_code: statusCode },
    duration_ms: durationMs,
    ...(error === undefined ? {} : { error: { type: 'UpstreamError', message: error.message } }),
  })
}

/** Each as often as its share says. */
export const journeys: readonly { readonly share: number; readonly journey: Journey }[] = [
  { share: 34, journey: search },
  { share: 26, journey: product },
  { share: 14, journey: cart },
  { share: 10, journey: checkout },
  { share: 8, journey: orders },
  { share: 5, journey: login },
  { share: 3, journey: health },
]
