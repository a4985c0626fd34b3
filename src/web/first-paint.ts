/**
 * Runs before anything is painted, so that the page never flashes in the other theme; and asks for the log
 * viewer with all that it imports where it is opened, so that it comes together with the frame.
 */

import { pagePaths } from '../http/page-paths.ts'
import { applyTheme, storedTheme } from './app/theme-choice.ts'

applyTheme(storedTheme())

/** Most who sign in go on to the logs. */
const beforeLogs: readonly string[] = [pagePaths.home, pagePaths.logs, pagePaths.signIn]
const logs = document.currentScript?.dataset.logs
if (logs !== undefined && beforeLogs.includes(location.pathname)) {
  // The frame imports it too, and tells when that fails.
  import(logs).catch(() => undefined)
}
