/**
 * The log records of an OTLP request in protobuf.
 *
 * Fields may stand in any order, so each message that holds records is gone through for its
 * resource or scope first, and its records are only noted; each is read when its turn comes.
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
import type { FoundRecord, OtlpDecoder } from './read-otlp.ts'
import { type Range, WireMessages } from './wire.ts'

export class ProtobufDecoder implements OtlpDecoder {
  readonly #wire: WireMessages
  readonly #body: Range

  constructor(body: Buffer) {
    this.#wire = new WireMessages(body)
    this.#body = { start: 0, end: body.length }
  }

  *records(): Generator<FoundRecord, void> {
    const wire = this.#wire
    const ofResources: Range[] = []
    wire.read(this.#body, field => {
      return field === fields.exportRequest.resourceLogs && note(ofResources, wire.range())
    })
    for (const range of ofResources) yield* this.#ofResource(range)
  }

  *#ofResource(range: Range): Generator<FoundRecord, void> {
    const wire = this.#wire
    const resource = newFields()
    const ofScopes: Range[] = []
    wire.read(range, field => {
      if (field === fields.resourceLogs.scopeLogs) return note(ofScopes, wire.range())
      return (
        field === fields.resourceLogs.resource &&
        wire.message(inside => {
          return inside === fields.resource.attributes && this.#keyValue(resource, 1)
        })
      )
    })
    for (const scope of ofScopes) yield* this.#ofScope(scope, resource)
  }

  *#ofScope(range: Range, resource: Fields): Generator<FoundRecord, void> {
    const wire = this.#wire
    const origin = { resource, scopeName: '', scopeVersion: '', scopeAttributes: newFields() }
    const found: Range[] = []
    wire.read(range, field => {
      if (field === fields.scopeLogs.logRecords) return note(found, wire.range())
      return field === fields.scopeLogs.scope && wire.message(inside => this.#scope(inside, origin))
    })
    for (const { start, end } of found) yield { origin, start, end }
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

  /** Adds a key and its value to `to`, a list that stands `depth` levels deep. */
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

function note(ranges: Range[], range: Range): true {
  ranges.push(range)
  return true
}
