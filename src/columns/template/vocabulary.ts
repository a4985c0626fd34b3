/**
 * Which words of a column belong to its templates.
 *
 * Words with a digit are always variables. Of the others most are the program's own ("connection
 * reset by peer") and some are not: users, hosts, tables. Were those kept in the templates, a message
 * with three of them would make thousands of templates out of one. So a sample is clustered, after
 * Drain (He et al., ICWS 2017): messages with the same separators and mostly the same words are one
 * kind, and where a kind has many words in one place, these words are variables, everywhere. A word
 * that the sample does not have is a variable, too.
 *
 * Any choice of words is exact; this one only makes columns smaller and searches faster.
 */
import type { TextColumn } from '../column.ts'
import {
  byteKinds,
  digitKind,
  hashMultiplier,
  hashWord,
  separatorKind,
  WordTable,
} from '../words.ts'

/** Messages looked at. At 2,000 of 32,768 the sample costs 5 % of the encoding. */
const sampleSize = 2_000

/** Distinct words in one place of a kind of message from which on they are variables. With fewer,
 *  a template for each is smaller and faster to search than a variable. */
const alternativesMin = 6

/** Share of words in common for messages to be of one kind. */
const similarityMin = 0.5

/** Clusters tried per message with the same separators: bounds the time that odd data can take. */
const clustersTriedMax = 64

/** Words of the longest message that is clustered. A megabyte of words would take a hundred of memory,
 *  and is no kind of message. */
const clusteredWordsMax = 256

/** Stands for a word with a digit. */
const variableWord = -1

/** Messages of one kind: at each place the words that were seen there. */
type Cluster = Set<number>[]

/** The words that templates keep, found in a sample of the column. */
export function staticWordsOf(values: TextColumn): WordTable {
  const sampled = new WordTable(values.bytes)
  const clusters = new Map<number, Cluster[]>()
  const count = values.offsets.length - 1
  const step = Math.max(1, count / sampleSize)
  for (let i = 0; i < count; i += step) {
    const { shape, words } = readWords(values, Math.floor(i), sampled)
    if (words.length > clusteredWordsMax) continue
    const alike = clusters.get(shape)
    if (alike === undefined) clusters.set(shape, [words.map(word => new Set([word]))])
    else join(alike, words)
  }

  const isVariable = new Uint8Array(sampled.count)
  for (const alternatives of [...clusters.values()].flat(2)) {
    alternatives.delete(variableWord)
    if (alternatives.size < alternativesMin) continue
    for (const word of alternatives) isVariable[word] = 1
  }
  const kept = new WordTable(values.bytes)
  for (let word = 0; word < sampled.count; word++) {
    if (isVariable[word] === 1) continue
    const start = sampled.startOf(word)
    const end = sampled.endOf(word)
    kept.add(start, end, hashWord(values.bytes, start, end))
  }
  return kept
}

/** A message's words, and a hash of what separates them. */
function readWords(values: TextColumn, index: number, table: WordTable) {
  const { bytes, offsets } = values
  const end = offsets[index + 1]!
  const words: number[] = []
  let shape = 0
  let at = offsets[index]!
  while (at < end) {
    const byte = bytes[at]!
    if (byteKinds[byte] === separatorKind) {
      shape = Math.imul(shape ^ byte, hashMultiplier)
      at++
      continue
    }
    const start = at
    let kinds = separatorKind
    let hash = 0
    while (at < end && byteKinds[bytes[at]!] !== separatorKind) {
      kinds |= byteKinds[bytes[at]!]!
      hash = Math.imul(hash ^ bytes[at]!, hashMultiplier)
      at++
    }
    words.push((kinds & digitKind) !== 0 ? variableWord : table.add(start, at, hash))
    shape = Math.imul(shape ^ 0x100, hashMultiplier)
  }
  return { shape, words }
}

/** Adds a message to the first cluster that is like it, or makes one of its own. */
function join(clusters: Cluster[], words: readonly number[]): void {
  for (const cluster of clusters) {
    if (!isAlike(cluster, words)) continue
    for (let place = 0; place < words.length; place++) cluster[place]!.add(words[place]!)
    return
  }
  if (clusters.length < clustersTriedMax) clusters.push(words.map(word => new Set([word])))
}

function isAlike(cluster: Cluster, words: readonly number[]): boolean {
  if (cluster.length !== words.length) return false
  let common = 0
  for (let place = 0; place < words.length; place++) {
    if (cluster[place]!.has(words[place]!)) common++
  }
  return common >= words.length * similarityMin
}
