/** `npm run docs`: writes the parts of documents that are made from the sources (`generated.ts`). */
import fs from 'node:fs'
import { join } from 'node:path'
import { withGenerated } from './generated.ts'
import { documentPaths, projectRoot, readDocument } from './markdown.ts'

for (const path of documentPaths()) {
  const document = readDocument(path)
  const written = withGenerated(document)
  if (written !== document) {
    fs.writeFileSync(join(projectRoot, path), written)
    console.log(`${path} written`)
  }
}
