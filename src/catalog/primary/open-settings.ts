/** Opens the catalog of a start: the directory's own, or the copy of a primary's. */
import { type Catalog, type CatalogOptions, openCatalog } from '../catalog.ts'
import { type BegunCopy, beginCopy, beginOwn } from './begin-copy.ts'
import { writeCopyNote } from './copy-file.ts'

export interface SettingsOptions extends CatalogOptions {
  readonly say: (text: string) => void
  /** Address and key of the primary; undefined: the settings are the directory's own. */
  readonly primary: { readonly url: string; readonly key: string } | undefined
}

export interface OpenedSettings {
  readonly catalog: Catalog
  /** Of what it is a copy; undefined: of nothing. */
  readonly copied: Pick<BegunCopy, 'primary' | 'copiedAt'> | undefined
}

/** Throws as `openCatalog` and `beginCopy`. */
export async function openSettings(options: SettingsOptions): Promise<OpenedSettings> {
  const { dataDir, now, say, primary } = options
  if (primary === undefined) {
    await beginOwn(dataDir, say)
    return { catalog: await openCatalog(options), copied: undefined }
  }
  const copied = await beginCopy(dataDir, { ...primary, now })
  const catalog = await openCatalog(options)
  if (copied.first === undefined) return { catalog, copied }
  try {
    await catalog.takeCopy(copied.first)
    await writeCopyNote(dataDir, { primary: primary.url, copiedAt: copied.copiedAt })
    return { catalog, copied }
  } catch (error) {
    await catalog.close()
    throw error
  }
}
