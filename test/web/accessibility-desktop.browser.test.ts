import t from 'tap'
import { browserTest, startSite } from './browser.ts'
import { checkFrame } from './frame-states.ts'

browserTest(t, 'desktop: axe finds nothing wrong in any state of the frame', async t => {
  await checkFrame(t, await startSite(t), 'desktop')
})
