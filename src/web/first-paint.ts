/** Runs before anything is painted, so that the page never flashes in the other theme. */

import { applyTheme, storedTheme } from './app/theme-choice.ts'

applyTheme(storedTheme())
