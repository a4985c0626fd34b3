/**
 * The log records of an OTLP request in protobuf.
 *
 * Fields may be in any order, so each message that holds records is gone through twice: for its
 * resource or scope first, and then for its records. Nothing is noted of them meanwhile: a body may
 * hold tens of millions of empty messages.
 */

import {
  bytesValue,
  doubleValue,
  type Fields,
  idOf,
  integerValue,
  newFields,
  requireDepth,
  timeOf,
} from './any-value.ts'
import { fields } from './fields.ts'
import type { Origin, OtlpLogRecord } from './log-record.ts'
import { type FoundRecord, type OtlpDecoder, sharedTooLarge } from './read-otlp.ts'
import { type Range, WireMessages } from './wire.ts'

export class ProtobufDecoder implements OtlpDecoder {
  readonly #wire: WireMessages
  readonly #body: Range
  readonly #sharedBytesMax: number

  constructor(body: Buffer, sharedBytesMax: number) {
    this.#wire = new WireMessages(body)
    this.#body = { start: 0, end: body.length }
    this.#sharedBytesMax = sharedBytesMax
  }

  *records(): Generator<FoundRecord, void> {
    const wire = this.#wire
    const { resourceLogs } = fields.exportRequest
    wire.read(this.#body, field => field === resourceLogs && wire.pass())
    for (const range of wire.ranges(this.#body, resourceLogs)) {
      if (!isEmpty(range)) yield* this.#ofResource(range)
    }
  }

  *#ofResource(range: Range): Generator<FoundRecord, void> {
    const wire = this.#wire
    const resource = newFields()
    const { scopeLogs } = fields.resourceLogs
    const requireRoom = this.#sharedRoom()
    wire.read(range, field => {
      if (field === scopeLogs) return wire.pass()
      return (
        field === fields.resourceLogs.resource &&
        wire.inside(requireRoom(wire.range()), inside => {
          return inside === fields.resource.attributes && this.#keyValue(resource, 1)
        })
      )
    })
    for (const scope of wire.ranges(range, scopeLogs)) {
      if (!isEmpty(scope)) yield* this.#ofScope(scope, resource)
    }
  }

  /** Returns the range of a message about many records; refuses when all of them take too much. */
  #sharedRoom(): (range: Range) => Range {
    let bytes = 0
    return range => {
      bytes += range.end - range.start
      if (bytes > this.#sharedBytesMax) throw sharedTooLarge(this.#sharedBytesMax)
      return range
    }
  }

  *#ofScope(range: Range, resource: Fields): Generator<FoundRecord, void> {
    const wire = this.#wire
    const origin = { resource, scopeName: '', scopeVersion: '', scopeAttributes: newFields() }
    const { scope, logRecords } = fields.scopeLogs
    const requireRoom = this.#sharedRoom()
    wire.read(range, field => {
      if (field === logRecords) return wire.pass()
      if (field !== scope) return false
      return wire.inside(requireRoom(wire.range()), inside => this.#scope(inside, origin))
    })
    for (const { start, end } of wire.ranges(range, logRecords)) yield { origin, start, end }
  }

  #scope(field: number, origin: { -readonly [K in keyof Origin]: Origin[K] }): boolean {
    switch (field) {
      case fields.scope.name:
        origin.scopeName = this.#wire.text()
        return true
      case fields.scope.version:
        origin.scopeVersion = this.#wire.text()
        return true
      case fields.scope.attributes:
        return this.#keyValue(origin.scopeAttributes, 1)
      default:
        return false
    }
  }

  read(range: Range): OtlpLogRecord {
    const log: { -readonly [K in keyof OtlpLogRecord]: OtlpLogRecord[K] } = {
      time: undefined,
      observedTime: undefined,
      severityNumber: 0,
      severityText: '',
      body: undefined,
      attributes: newFields(),
      droppedAttributesCount: 0,
      traceId: '',
      spanId: '',
      eventName: '',
    }
    this.#wire.read(range, field => this.#logRecord(field, log))
    return log
  }

  #logRecord(
    field: number,
    log: { -readonly [K in keyof OtlpLogRecord]: OtlpLogRecord[K] },
  ): boolean {
    const wire = this.#wire
    switch (field) {
      case fields.logRecord.timeUnixNano:
        log.time = timeOf(wire.fixedLong())
        return true
      case fields.logRecord.observedTimeUnixNano:
        log.observedTime = timeOf(wire.fixedLong())
        return true
      case fields.logRecord.severityNumber:
        log.severityNumber = wire.integer()
        return true
      case fields.logRecord.severityText:
        log.severityText = wire.text()
        return true
      case fields.logRecord.body:
        // A value that is empty is no body: what it would say is nothing.
        log.body = this.#anyValue(0) ?? undefined
        return true
      case fields.logRecord.attributes:
        return this.#keyValue(log.attributes, 1)
      case fields.logRecord.droppedAttributesCount:
        log.droppedAttributesCount = wire.integer() >>> 0
        return true
      case fields.logRecord.traceId:
        log.traceId = idOf(wire.bytes())
        return true
      case fields.logRecord.spanId:
        log.spanId = idOf(wire.bytes())
        return true
      case fields.logRecord.eventName:
        log.eventName = wire.text()
        return true
      default:
        return false
    }
  }

  /** Adds a key and its value to `to`, a list that is `depth` levels deep. */
  #keyValue(to: Fields, depth: number): true {
    const wire = this.#wire
    let key = ''
    let value: unknown = null
    wire.message(field => {
      if (field === fields.keyValue.key) key = wire.text()
      else if (field === fields.keyValue.value) value = this.#anyValue(depth)
      else return false
      return true
    })
    to[key] = value
    return true
  }

  /** A value inside of `depth` lists. */
  #anyValue(depth: number): unknown {
    let value: unknown = null
    this.#wire.message(field => {
      const read = this.#oneOf(field, depth)
      if (read !== undefined) value = read
      return read !== undefined
    })
    return value
  }

  #oneOf(field: number, depth: number): unknown {
    const wire = this.#wire
    switch (field) {
      case fields.anyValue.stringValue:
        return wire.text()
      case fields.anyValue.boolValue:
        return wire.truth()
      case fields.anyValue.intValue:
        return integerValue(wire.long())
      case fields.anyValue.doubleValue:
        return doubleValue(wire.double())
      case fields.anyValue.bytesValue:
        return bytesValue(wire.bytes())
      case fields.anyValue.arrayValue: {
        requireDepth(depth + 1)
        const values: unknown[] = []
        wire.message(inside => {
          return inside === fields.list.values && values.push(this.#anyValue(depth + 1)) > 0
        })
        return values
      }
      case fields.anyValue.kvlistValue: {
        requireDepth(depth + 1)
        const values = newFields()
        wire.message(inside => inside === fields.list.values && this.#keyValue(values, depth + 1))
        return values
      }
      default:
        return undefined
    }
  }
}

/** Has no records; a record itself may be empty. */
function isEmpty({ start, end }: Range): boolean {
  return start === end
}
