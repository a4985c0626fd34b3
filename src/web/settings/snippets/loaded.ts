/** What the page loads when snippets are to be shown. They are also made without a page. */

import '../../shared.ts'

export { assistantsFor } from './assistants.ts'
export { snippetsFor } from './snippets.ts'
