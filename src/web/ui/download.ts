/** Hands a file to the browser, which keeps it where the person wants. */

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** `2026-11-20T14-03-22`, for names of files: no colons, for Windows. */
export function fileTime(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-')
}
