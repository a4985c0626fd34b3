/** A reader of RFC 4180, in the plainest code that can be one. */

/** The records of a text, each a list of fields. Throws on what the RFC does not allow. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let fields: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        if (at >= text.length) throw new Error('a quote that is not closed')
        if (text[at] !== '"') field += text[at++]
        else if (text[at + 1] === '"') {
          field += '"'
          at += 2
        } else break
      }
      at++
    } else {
      while (at < text.length && !',\r\n"'.includes(text[at]!)) field += text[at++]
    }
    fields.push(field)
    if (text[at] === ',') at++
    else if (text.startsWith('\r\n', at)) {
      records.push(fields)
      fields = []
      at += 2
    } else throw new Error(`expected a comma or a line end, found ${JSON.stringify(text[at])}`)
  }
  if (fields.length > 0) throw new Error('the last line has no end')
  return records
}
