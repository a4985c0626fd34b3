/**
 * The log records of an OTLP request in JSON: protobuf's JSON mapping, with ids in hex.
 *
 * Records are found by walking through the body and read one by one.
 */

import { ProblemError } from '../../problems.ts'
import { type Fields, idOfHex, newFields, timeOf } from './any-value.ts'
import { JsonCursor } from './json-cursor.ts'
import {
  isAbsent,
  jsonDepthMax,
  readAnyValue,
  readBig,
  readFields,
  readInteger,
  readText,
  requireObject,
} from './json-values.ts'
import type { Origin, OtlpLogRecord } from './log-record.ts'
import type { FoundRecord, OtlpDecoder } from './read-otlp.ts'

export class JsonDecoder implements OtlpDecoder {
  readonly #cursor: JsonCursor

  constructor(body: Buffer, sharedBytesMax: number) {
    this.#cursor = new JsonCursor(body, jsonDepthMax, sharedBytesMax)
  }

  *records(): Generator<FoundRecord, void> {
    const cursor = this.#cursor
    for (const name of cursor.members('body')) {
      if (name === 'resourceLogs') {
        for (const _ of cursor.elements(name)) yield* this.#ofResource()
      } else {
        cursor.skip()
      }
    }
    cursor.requireEnd()
  }

  #ofResource(): Generator<FoundRecord, void> {
    return this.#cursor.described('resourceLogs', {
      about: 'resource',
      list: 'scopeLogs',
      read: value => {
        if (isAbsent(value)) return newFields()
        return readFields(requireObject(value, 'resource').attributes, 1)
      },
      element: resource => this.#ofScope(resource),
    })
  }

  #ofScope(resource: Fields): Generator<FoundRecord, void> {
    const cursor = this.#cursor
    return cursor.described('scopeLogs', {
      about: 'scope',
      list: 'logRecords',
      read: value => originOf(resource, value),
      element: origin => [{ origin, ...cursor.pass() }],
    })
  }

  read(found: FoundRecord): OtlpLogRecord {
    const log = requireObject(this.#cursor.read(found), 'logRecords')
    const body = readAnyValue(log.body, 0)
    return {
      time: timeOf(readTime(log, 'timeUnixNano')),
      observedTime: timeOf(readTime(log, 'observedTimeUnixNano')),
      severityNumber: readInteger(log, 'severityNumber'),
      severityText: readText(log, 'severityText'),
      body: body ?? undefined,
      attributes: readFields(log.attributes, 1),
      droppedAttributesCount: readInteger(log, 'droppedAttributesCount'),
      traceId: idOfHex(readText(log, 'traceId')),
      spanId: idOfHex(readText(log, 'spanId')),
      eventName: readText(log, 'eventName'),
    }
  }
}

function originOf(resource: Fields, value: unknown): Origin {
  const scope = isAbsent(value) ? {} : requireObject(value, 'scope')
  return {
    resource,
    scopeName: readText(scope, 'name'),
    scopeVersion: readText(scope, 'version'),
    scopeAttributes: readFields(scope.attributes, 1),
  }
}

/** Nanoseconds, in 64 bits without a sign. */
function readTime(log: Fields, field: string): bigint {
  const time = readBig(log[field], field)
  if (time < 0n || time >= 1n << 64n) {
    const detail = `"${field}" must be nanoseconds since 1970, was ${time}`
    throw new ProblemError('field_invalid', detail, { field })
  }
  return time
}
