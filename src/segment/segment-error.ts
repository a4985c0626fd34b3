/**
 * What can be wrong with a segment: the bytes are not what was written, a newer program wrote them,
 * or they could not be written.
 */

/** Bytes that fail their checksum, lie at another place than they were written for, or are missing. */
export class SegmentCorrupt extends Error {
  readonly path: string
  /** Where in the file the unreadable bytes begin. */
  readonly offset: number
  /** What does not hold there, in words for the log. */
  readonly what: string

  constructor(path: string, offset: number, what: string, cause?: unknown) {
    super(`${path}: ${what} at offset ${offset}`, cause === undefined ? undefined : { cause })
    this.name = 'SegmentCorrupt'
    this.path = path
    this.offset = offset
    this.what = what
  }
}

/** What `read` gives; undefined when the bytes are corrupt. Other errors are thrown on. */
export function unlessCorrupt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof SegmentCorrupt) return undefined
    throw error
  }
}

/** A whole file of a format that this program does not know: not to be taken for a broken one. */
export class SegmentVersionUnknown extends Error {
  readonly path: string
  readonly version: number

  constructor(path: string, version: number, known: number) {
    super(
      `${path}: the segment has format ${version}, this program knows formats up to ${known}; ` +
        'start a version of Logstrata that is as new as the one that wrote it, or start on a backup that ' +
        'was made before that one',
    )
    this.name = 'SegmentVersionUnknown'
    this.path = path
    this.version = version
  }
}

/** A segment that could not be written. What there was of it has been removed. */
export class SegmentWriteFailed extends Error {
  readonly path: string
  /** True when there was no space left: worth another try later. */
  readonly isDiskFull: boolean

  constructor(path: string, action: string, isDiskFull: boolean, cause?: unknown) {
    super(`${path}: ${action}`, cause === undefined ? undefined : { cause })
    this.name = 'SegmentWriteFailed'
    this.path = path
    this.isDiskFull = isDiskFull
  }
}
