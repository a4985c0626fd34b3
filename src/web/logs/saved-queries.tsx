/** Queries under a name. */
export function SavedQueries() {
  return null
}
