/** What the company lives on: checkout, orders, payments, stock. */
import type { ServiceTemplates } from './template.ts'

export const commerceServices: readonly ServiceTemplates[] = [
  {
    service: 'checkout',
    weight: 9,
    loggers: ['cart', 'pricing', 'submit'],
    templates: {
      debug: [
        'pricing rule {word} gave {money} for basket {n8}, {n2} rules left',
        'address of {name} normalised in {ms} ms, {n2} candidates',
      ],
      info: [
        'order {order} submitted by {user}: {n2} items, {money} EUR, basket {n8}',
        'basket {n8} priced in {ms} ms: {n2} items, discount {money}',
        'coupon {word}-{n4} applied to basket {n8} of {user}',
        'delivery options for {city}: {n2} carriers, cheapest {money} €',
        'customer {name} accepted terms v{n2} from {ip}',
        'checkout of {user} took {n4} ms over {n2} steps',
      ],
      warn: [
        'basket {n8} changed while being priced, attempt {n2}',
        'stock of {sku} fell to {n2} between basket and order {order}',
        'tax service answered in {n4} ms, table of {n3} h ago used for {city}',
      ],
      error: [
        'order {order} not submitted: payment {uuid} refused with code {n4}',
        'java.lang.IllegalStateException: basket {n8} is already closed\n\tat com.example.checkout.BasketService.close(BasketService.java:{line})\n\tat com.example.checkout.SubmitController.submit(SubmitController.java:{line})\n\tat java.base/java.lang.Thread.run(Thread.java:1583)\nCaused by: com.example.store.StaleVersion: expected {n3}, found {n3}\n\t... {n2} more',
      ],
    },
  },
  {
    service: 'orders',
    weight: 7,
    loggers: ['OrderService', 'OrderRepository', 'Outbox'],
    templates: {
      debug: [
        'loaded order {order} with {n2} lines in {ms} ms, version {n3}',
        'outbox holds {n4} events, oldest {n4} ms',
      ],
      info: [
        'order {order} moved from paid to packed by {user}',
        'order {order} of customer {n8} confirmed, total {money} EUR',
        'published OrderConfirmed {uuid} to partition {n2} at offset {n8}',
        'parcel {n8} of order {order} handed to carrier {word}, {n2}.{n2} kg',
        'return {n8} for order {order} registered: {n2} items, reason {word}',
        'invoice {n8} for {name} written to {file}',
      ],
      warn: [
        'order {order} waits for payment since {n4} s',
        'optimistic lock on order {order} lost to version {n3}, retry {n2}',
      ],
      error: [
        'order {order} cannot be packed: {sku} missing in warehouse {city}',
        'org.springframework.dao.DeadlockLoserDataAccessException: order {order}\n\tat com.example.orders.OrderRepository.save(OrderRepository.java:{line})\n\tat com.example.orders.OrderService.advance(OrderService.java:{line})\n\tat com.example.orders.Outbox.drain(Outbox.java:{line})\n\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1144)',
        'outbox: publishing {uuid} failed {n2} times, parked',
      ],
    },
  },
  {
    service: 'payments',
    weight: 6,
    loggers: ['acquirer', 'ledger', 'risk'],
    templates: {
      debug: [
        'acquirer {word} answered {n3} in {ms} ms, correlation {hex16}',
        'ledger entry {n8} balanced: debit {money}, credit {money}',
      ],
      info: [
        'payment {uuid} of {money} EUR authorised by {word} in {ms} ms',
        'payment {uuid} captured, settlement batch {n8}',
        'refund {uuid} of {money} € to card ending {n4} for order {order}',
        'risk score 0.{n3} for {user} from {ip} ({city}), accepted',
        'settlement file {file} with {n4} entries sent to {host}',
        'webhook {hex16} from {word} verified in {ms} ms',
      ],
      warn: [
        'acquirer {word} slow: {n4} ms, {n2} of 20 in flight',
        'risk score 0.{n3} for {user} from {ip}: second factor asked',
        'payment {uuid} seen again with key {hex16}, first answer repeated',
      ],
      error: [
        'payment {uuid} refused by {word}: code {n2}, insufficient funds',
        'Traceback (most recent call last):\n  File "/srv/payments/acquirer.py", line {line}, in authorise\n    reply = session.post(url, timeout={n2})\n  File "/srv/payments/http.py", line {line}, in post\n    raise GatewayTimeout(url)\npayments.http.GatewayTimeout: https://{word}.example.net/v{n2}/authorise after {n4} ms',
        'ledger out of balance by {money} in batch {n8}',
      ],
    },
  },
  {
    service: 'inventory',
    weight: 5,
    loggers: ['stock', 'sync', 'forecast'],
    templates: {
      debug: [
        'shelf {word}-{n3} scanned: {n3} units of {sku}',
        'forecast for {sku}: {n4} units in {n2} days, error 0.{n2}',
      ],
      info: [
        'reserved {n2} of {sku} for order {order}, {n4} left in {city}',
        'released {n2} of {sku}, reservation {uuid} ran out',
        'stock sync with {host}: {n4} changed, {n8} unchanged, {ms} ms',
        'delivery {n8} from {name} booked: {n3} lines, {n4} units',
        'moved {n3} of {sku} from {city} to {city}, transfer {n8}',
        'price list {file} read: {n8} rows in {ms} ms',
      ],
      warn: [
        '{sku} below reorder level: {n2} left, {n3} wanted',
        'count of {sku} differs by {n2} after audit {n8} in {city}',
      ],
      error: [
        'negative stock of {sku} in {city}: -{n2} after reservation {uuid}',
        'sync with {host} aborted at row {n8}: column {word} is not a number',
        'panic: runtime error: index out of range [{n3}] with length {n3}\n\ngoroutine {n4} [running]:\nexample.com/inventory/sync.(*Reader).next(0x{hex8}, {n3})\n\t/src/sync/reader.go:{line} +0x{hex4}\nexample.com/inventory/sync.Run()\n\t/src/sync/run.go:{line} +0x{hex4}',
      ],
    },
  },
]
