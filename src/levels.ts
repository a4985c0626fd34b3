/**
 * The levels that records have, and what other loggers call them: the one table, for events, OTLP, the
 * page and the command line alike.
 *
 * Words are those of syslog, systemd, Apache and PostgreSQL; `java.util.logging`, Log4j and Logback;
 * .NET, Serilog and NLog; Go's zap, zerolog, logrus and slog; Python, loguru; Ruby; Monolog; Rust's log
 * and slog; winston and consola; Android, glog and MongoDB (letters).
 */

/** How a level is shown: its colour. */
export type LevelKind = 'fatal' | 'error' | 'warn' | 'info' | 'debug'

export interface Level {
  readonly name: string
  readonly kind: LevelKind
  /** Other words for it, in lower case, whose meaning is plain wherever they stand. */
  readonly words: readonly string[]
  /** Words for it that mean something else outside of a field for levels, such as `success`. */
  readonly looseWords: readonly string[]
}

/** In the order in which they are stacked in a chart, from the ground up. */
export const levels: readonly Level[] = [
  level('fatal', 'fatal', 'ftl fatl', 'f'),
  level('critical', 'fatal', 'crit', 'crt c fault'),
  level('alert', 'fatal'),
  level('emergency', 'fatal', 'emerg'),
  level('panic', 'fatal', 'dpanic', 'pnc'),
  level('error', 'error', 'severe erro', 'eror e fail failure'),
  level('err', 'error'),
  level('warn', 'warn', 'wrn', 'w'),
  level('warning', 'warn'),
  level('info', 'info', 'information informational inf', 'i success http log'),
  level('notice', 'info', '', 'note n'),
  level('debug', 'debug', 'dbg dbug debg', 'd config fine finer'),
  level('trace', 'debug', 'verbose trc trce vrb', 't v silly finest'),
]

const kinds: ReadonlyMap<string, LevelKind> = new Map(levels.map(({ name, kind }) => [name, kind]))

/** How `name`, a level as records have it, is shown; undefined for a name that is not one. */
export function levelKind(name: string): LevelKind | undefined {
  return kinds.get(name)
}

/** The names of all levels of these kinds. */
export function levelsOfKind(...wanted: readonly LevelKind[]): string[] {
  return levels.filter(({ kind }) => wanted.includes(kind)).map(({ name }) => name)
}

function level(name: string, kind: LevelKind, words = '', looseWords = ''): Level {
  return { name, kind, words: listOf(words), looseWords: listOf(looseWords) }
}

function listOf(words: string): readonly string[] {
  return words === '' ? [] : words.split(' ')
}
