/** The entry point: shows the page and begins to listen. */

import './shared.ts'
import { render } from 'preact'
import { App, beginView } from './app/app.tsx'
import { listenToKeys } from './app/commands.ts'
import { loadSession } from './app/session.ts'
import { followLinks } from './state/location.ts'

followLinks()
listenToKeys()
beginView()
void loadSession()
render(<App />, document.getElementById('app')!)
