/** Values of variables in the query string of a question: one parameter for each value. */

import type { Variables } from '../../language/variables.ts'

export function addVariables(parameters: URLSearchParams, variables: Variables = {}): void {
  for (const [name, value] of Object.entries(variables)) {
    for (const one of typeof value === 'string' ? [value] : value) {
      parameters.append(`var.${name}`, one)
    }
  }
}
