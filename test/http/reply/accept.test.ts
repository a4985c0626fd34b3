import t from 'tap'
import { acceptsGzip, chooseMediaType } from '../../../src/http/reply/accept.ts'

t.test('the media type that the client likes best is chosen', async t => {
  const offered = ['application/x-ndjson', 'text/csv'] as const
  const chooses = (header: string, expected: (typeof offered)[number] | undefined) =>
    t.equal(chooseMediaType(header, offered), expected, header)

  chooses('', 'application/x-ndjson')
  chooses('*/*', 'application/x-ndjson')
  chooses('text/csv', 'text/csv')
  chooses('TEXT/CSV; header=present', 'text/csv')
  chooses('text/*', 'text/csv')
  chooses('text/html, text/csv;q=0.9, */*;q=0.8', 'text/csv')
  chooses('text/csv;q=0.5, application/x-ndjson;q=0.6', 'application/x-ndjson')
  chooses('*/*, application/x-ndjson;q=0', 'text/csv')
  chooses('application/*;q=0.1, text/csv;q=0', 'application/x-ndjson')
  chooses('text/csv;q=much', 'text/csv')
  chooses('application/json', undefined)
  chooses('text/csv;q=0', undefined)
  chooses('*/*;q=0', undefined)
  chooses(',;q=,', undefined)
})

t.test('gzip is taken where it is named and not refused', async t => {
  const takes = (header: string, expected: boolean) =>
    t.equal(acceptsGzip(header), expected, header)

  takes('', false)
  takes('gzip', true)
  takes('GZIP', true)
  takes('x-gzip', true)
  takes('deflate, gzip;q=1.0, *;q=0.5', true)
  takes('*', true)
  takes('br', false)
  takes('gzip;q=0', false)
  takes('*;q=1, gzip; q=0', false)
  takes('identity', false)
  takes('*;q=0', false)
})
