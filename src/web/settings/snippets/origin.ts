/** The scheme and host of what somebody typed; undefined when it is no address over HTTP. */
export function originOf(text: string): string | undefined {
  const typed = text.trim()
  if (!/^https?:\/\/[^\s'"\\$`]+$/i.test(typed)) return undefined
  try {
    const { origin, username, pathname, search } = new URL(typed)
    return username === '' && pathname === '/' && search === '' ? origin : undefined
  } catch {
    return undefined
  }
}
