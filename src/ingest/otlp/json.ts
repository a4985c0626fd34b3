/**
 * The log records of an OTLP request in JSON: protobuf's JSON mapping, with ids in hex.
 *
 * Records are found by walking through the body and read one by one. The resource and the scope
 * mostly precede the records that they describe; where they do not, the records are passed
 * and come back to.
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
    return this.#about('resourceLogs', {
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
    return this.#about('scopeLogs', {
      about: 'scope',
      list: 'logRecords',
      read: value => originOf(resource, value),
      *element(origin) {
        yield { origin, ...cursor.pass() }
      },
    })
  }

  /** Walks through an object whose member `about` is about each element of its member `list`. */
  *#about<About>(
    field: string,
    options: {
      readonly about: string
      readonly list: string
      /** `value` is undefined when absent. */
      readonly read: (value: unknown) => About
      readonly element: (about: About) => Generator<FoundRecord, void>
    },
  ): Generator<FoundRecord, void> {
    const cursor = this.#cursor
    const passed: number[] = []
    let about: About | undefined
    for (const name of cursor.members(field)) {
      if (name === options.about) {
        about = options.read(cursor.value())
      } else if (name === options.list && about !== undefined) {
        for (const _ of cursor.elements(name)) yield* options.element(about)
      } else {
        if (name === options.list) passed.push(cursor.offset)
        cursor.skip()
      }
    }
    const end = cursor.offset
    for (const offset of passed) {
      about ??= options.read(undefined)
      cursor.offset = offset
      for (const _ of cursor.elements(options.list)) yield* options.element(about)
    }
    cursor.offset = end
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
