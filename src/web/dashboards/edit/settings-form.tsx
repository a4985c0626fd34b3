/** A dashboard's title, folder and what it is shown with at first. */

import { parseDuration } from '../../../language/duration.ts'
import { CheckField } from '../../ui/check-field.tsx'
import { Field } from '../../ui/field.tsx'
import type { BoardModel } from '../board-model.ts'
import { withTitle } from '../model/changes.ts'
import { folderFault } from '../model/folders.ts'
import { type Json, type Path, withValue } from '../model/json-tree.ts'

export function SettingsForm({ model }: { readonly model: BoardModel }) {
  const { title, folderPath, defaultTimeRange = '', hidesEnvironment } = model.board.value
  const tree = model.tree.value
  const set = (path: Path, value: Json | undefined) =>
    model.change(withValue(tree, path, value), path.join('.'))
  const isDuration = defaultTimeRange === '' || (parseDuration(defaultTimeRange) ?? 0) > 0
  const fault = folderFault(folderPath)
  return (
    <div class="form column">
      <Field
        label="Title"
        value={title}
        onChange={text => model.change(withTitle(tree, text), 'title')}
      />
      <Field
        label="Folder"
        value={folderPath}
        hint="Such as /dashboards/team/"
        error={fault}
        onChange={text => set(['metadata', 'folderPath'], text)}
      />
      <Field
        label="Default time range"
        value={defaultTimeRange}
        hint="A duration such as 15m, 1h or 7d"
        error={isDuration ? undefined : 'write a duration such as 15m, 1h or 7d'}
        onChange={text => set(['settings', 'defaultTimeRange'], text || undefined)}
      />
      <CheckField
        label="Hide the environment selector"
        isChecked={hidesEnvironment}
        onChange={value => set(['settings', 'hideGlobalEnvironmentSelector'], value)}
      />
    </div>
  )
}
