import { readFileSync } from 'node:fs'
import t from 'tap'

const css = readFileSync(new URL('../../src/web/styles/theme.css', import.meta.url), 'utf8')

/** The colours of one theme by name. */
function colors(theme: string): ReadonlyMap<string, string> {
  const both = css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)
  return new Map(
    [...both].map(([, name, light, dark]) => [name!, theme === 'light' ? light! : dark!]),
  )
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

const grounds = ['ground', 'surface', 'raised', 'hover', 'selected']
const texts = ['text', 'text-soft', 'accent-text', 'danger', 'warn', 'ok']
const levels = ['level-info', 'text-faint']

for (const theme of ['light', 'dark']) {
  t.test(`${theme}: every text can be read on every ground`, async t => {
    const all = colors(theme)
    const reads = (text: string, ground: string, least: number) => {
      const ratio = contrast(all.get(text)!, all.get(ground)!)
      t.ok(ratio >= least, `${text} on ${ground}: ${ratio.toFixed(2)}, at least ${least}`)
    }
    for (const ground of grounds) for (const text of texts) reads(text, ground, 4.5)
    for (const ground of grounds.slice(0, 4)) for (const text of levels) reads(text, ground, 4.5)
    const syntax = [...all.keys()].filter(name => name.startsWith('syntax-'))
    for (const name of syntax) reads(name, 'surface', 4.5)
    reads('on-accent', 'accent', 4.5)
    reads('on-danger', 'danger', 4.5)
    reads('danger', 'danger-ground', 4.5)
    reads('warn', 'warn-ground', 4.5)
    reads('text', 'mark', 4.5)
  })

  t.test(`${theme}: controls and marks stand out from what is behind them`, async t => {
    const all = colors(theme)
    const series = [...all.keys()].filter(name => name.startsWith('series-'))
    const marks = ['line-control', 'accent', 'bar-fatal', 'bar-error', ...series]
    for (const mark of marks) {
      const ratio = contrast(all.get(mark)!, all.get('surface')!)
      t.ok(ratio >= 3, `${mark}: ${ratio.toFixed(2)}`)
    }
  })
}
