/** The entry point: shows the page and begins to listen. */

import { render } from 'preact'
import { App } from './app/app.tsx'
import { listenToKeys } from './app/commands.ts'
import { loadSession } from './app/session.ts'
import { followLinks } from './state/location.ts'

followLinks()
listenToKeys()
void loadSession()
render(<App />, document.getElementById('app')!)
