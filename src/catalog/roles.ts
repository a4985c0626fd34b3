/** What an API key may do: each role may all that the one before it may. */

export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** Whether `role` may do all that `needed` may. */
export function roleAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
