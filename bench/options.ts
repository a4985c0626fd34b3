/** What the benchmarks read from their command lines and from files named there. */
import { readFileSync } from 'node:fs'

/** A whole number from 0 up. Throws with the option's name otherwise. */
export function integerOption(name: string, text: string): number {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new Error(`--${name} must be a whole number, was "${text}"`)
  }
  return value
}

/** Whole numbers with commas between them. Throws with the option's name otherwise. */
export function integersOption(name: string, text: string): number[] {
  return text.split(',').map(part => integerOption(name, part))
}

/** The lines of each file, without empty ones. Throws when a file cannot be read. */
export function readLines(files: readonly string[]): string[][] {
  return files.map(file =>
    readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .filter(line => line !== ''),
  )
}
