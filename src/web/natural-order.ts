/**
 * The order in which people look for names: numbers in them count as numbers (`web1`, `web2`, `web10`), and
 * case only decides between names that are otherwise the same. Everything on the page that is listed by
 * name is in this order; what is listed by a value has its ties in it.
 */

const { compare } = new Intl.Collator('en', { numeric: true })

/** Negative when `a` comes before `b`; zero for the same text only. */
export function compareNames(a: string, b: string): number {
  // The collator takes some texts for the same that are not, such as `web1` and `web01`.
  return compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
