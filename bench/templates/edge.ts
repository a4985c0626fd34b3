/** What stands nearest to the users: proxy, sign-in, rendering, cache. */
import type { ServiceTemplates } from './template.ts'

export const edgeServices: readonly ServiceTemplates[] = [
  {
    service: 'gateway',
    weight: 18,
    loggers: ['access', 'upstream', 'tls'],
    templates: {
      debug: [
        'route {path} matched rule {n3} for tenant {word} after {n2} candidates',
        'keep-alive pool for {host}: {n2} idle, {n2} busy, {n3} waiting',
      ],
      info: [
        '{ip} - {user} "GET {path}?page={n2} HTTP/1.1" 200 {bytes} "-" "Mozilla/5.0 (X11; Linux x86_64) rv:{n3}.0"',
        '{ip} - - "POST {path} HTTP/2.0" 201 {bytes} "https://shop.example.com/cart/{n8}" rt={ms}',
        '{ip} - {user} "GET /static/js/chunk-{hex8}.js HTTP/2.0" 304 0 rt=0.00{n2}',
        'proxied request {uuid} to {host}:{port} in {ms} ms, {bytes} bytes sent',
        'tls handshake with {ip}:{port} done in {ms} ms, session {hex16} resumed',
        'health check of {host}:{port} passed ({n2}/{n2} healthy)',
        'client {ip} upgraded to websocket on {path}, stream {n8}',
      ],
      warn: [
        'rate limit reached for {ip}: {n3} requests in 10 s, bucket {word}, retry in {n2} s',
        'upstream {host}:{port} is slow: {n4} ms for {path}, budget 1500 ms',
        'client {ip} sent a header of {bytes} bytes, over the limit of 4096',
      ],
      error: [
        'no live upstream for {path}: {n2} hosts tried, last {host}:{port}',
        'upstream timed out (110: Connection timed out) while reading response header from {ip}:{port}, request "{path}"',
        'tls: certificate for {word}.example.com expired {n3} hours ago',
      ],
    },
  },
  {
    service: 'auth',
    weight: 8,
    loggers: ['sessions', 'tokens', 'audit'],
    templates: {
      debug: [
        'password hash for {user} took {ms} ms at cost {n2}',
        'jwks cache hit for key {hex16}, {n4} s left',
      ],
      info: [
        'user {user} signed in from {ip} with {method}, session {hex16}',
        'token {hex16} issued to client {word} for {n4} s, scopes read write',
        'session {hex16} of {user} ended after {n4} s',
        'user {user} <{email}> changed e-mail, verification {uuid} sent',
        'sign-in of {name} from {city} accepted by second factor in {ms} ms',
        'refresh of token {hex16} by {ip}, generation {n2}',
      ],
      warn: [
        'failed password for {user} from {ip} port {port}, attempt {n2} of 10',
        'sign-in of {name} from an unusual place: {city} ({ip}), score 0.{n2}',
        'token {hex16} used twice within {n3} ms, family revoked',
      ],
      error: [
        'directory ldap://{host}:{port} did not answer a bind for {user} in {n4} ms',
        'Error: audience mismatch for client {word}\n    at verify (/srv/auth/lib/jwt.js:{line}:{n2})\n    at authenticate (/srv/auth/lib/session.js:{line}:{n2})\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
        'key store: signature of key {hex16} does not verify, {n2} keys left',
      ],
    },
  },
  {
    service: 'storefront',
    weight: 10,
    loggers: ['render', 'assets', 'flags'],
    templates: {
      debug: [
        'flag {word} evaluated to variant {n2} for visitor {hex16}',
        'hydration payload of {path}: {bytes} bytes, {n3} components',
      ],
      info: [
        'rendered {path} for visitor {hex16} in {ms} ms ({n3} fragments, {n2} cached)',
        'search for "{name}" gave {n4} products in {ms} ms',
        'basket {n8} now holds {n2} items worth {money} €',
        'page view {path} from {city}, referrer https://www.example.org/{word}/{n4}',
        'recommended {n2} of {n4} products to visitor {hex16} by model v{n2}.{n2}',
        'image {file} resized to {n3}x{n3} in {ms} ms',
      ],
      warn: [
        'fragment {word} missed its budget: {n4} ms for {path}',
        'price of {sku} is {n3} s old, shown with a note',
        'translation missing: "{word}.{word}" for locale {locale}, fell back to en',
      ],
      error: [
        "TypeError: Cannot read properties of undefined (reading '{word}')\n    at Basket (/srv/storefront/app/basket.tsx:{line}:{n2})\n    at renderWithHooks (/srv/storefront/node_modules/react-dom/server.js:{line}:{n2})\n    at renderElement (/srv/storefront/node_modules/react-dom/server.js:{line}:{n2})",
        'fragment {word} failed for {path}: backend answered 502 after {ms} ms',
      ],
    },
  },
  {
    service: 'edge-cache',
    weight: 12,
    loggers: ['lookup', 'purge', 'storage'],
    templates: {
      debug: [
        'lookup {hex16} {path}: stale by {n4} s, revalidating',
        'evicted {n4} objects ({bytes} bytes) from shelf {n2}',
      ],
      info: [
        'HIT {path} key={hex16} age={n4} size={bytes} pop={pop}',
        'MISS {path} key={hex16} origin={host} ttfb={ms} pop={pop}',
        'PASS {path} cookie=present pop={pop} ttfb={ms}',
        'purged {n4} objects under {path} in {ms} ms, request {uuid}',
        'warmed {file} at {pop}: {bytes} bytes from {host} in {ms} ms',
        'certificate {hex16} deployed at {pop}, valid for {n3} days',
      ],
      warn: [
        'origin {host} answered {n3} times with 5xx within 60 s, serving stale for {path}',
        'shelf {n2} is {n2} % full, hit ratio 0.{n3}',
      ],
      error: [
        'object {hex16} has checksum {hex8}, expected {hex8}; dropped',
        'write to /var/cache/shelf{n2}/{hex16} failed: no space left on device ({bytes} bytes wanted)',
      ],
    },
  },
]
