import { signal } from '@preact/signals'
import t from 'tap'
import { Folding } from '../../../src/web/dashboards/folding.ts'
import type { Json, Path } from '../../../src/web/dashboards/model/json-tree.ts'

const at = (...indices: readonly number[]): Path =>
  indices.flatMap((index, depth) =>
    depth === 0 ? ['content', 'widgets', index] : ['group', 'widgets', index],
  )

/** A dashboard whose group at `group` was folded; `change` puts another tree in place of the first. */
function folded(group: Path) {
  const first: Json = { name: 'first' }
  const tree = signal<Json>(first)
  const folding = new Folding(tree)
  folding.turn(group)
  const change = () => {
    tree.value = { name: 'second' }
  }
  return { folding, first, tree, change }
}

t.test('a folded group stays folded where a widget before it goes', async t => {
  const isFoldedAt = (group: Path, gone: Path, to: Path | undefined, expected: Path) => {
    const { folding, change } = folded(group)
    folding.during(change, gone, to)
    t.ok(folding.isTurned(expected), `${group.join('.')} when ${gone.join('.')} goes`)
    if (group.join() !== expected.join()) t.notOk(folding.isTurned(group))
  }
  isFoldedAt(at(1), at(0), undefined, at(0))
  isFoldedAt(at(1), at(2), undefined, at(1))
  isFoldedAt(at(1, 3), at(0), undefined, at(0, 3))
  isFoldedAt(at(1, 3), at(1, 0), undefined, at(1, 2))
  isFoldedAt(at(1, 3), at(2, 0), undefined, at(1, 3))
  isFoldedAt(at(1), at(0), at(0, 4), at(0))
  isFoldedAt(at(0), at(0), at(0, 4), at(0, 4))
  isFoldedAt(at(0, 2), at(0), at(1, 4), at(1, 4, 2))
})

t.test('a group that is removed leaves nothing folded behind', async t => {
  const { folding, change } = folded(at(0))
  folding.during(change, at(0))
  t.notOk(folding.isTurned(at(0)))
})

t.test('what is undone has its groups as they were', async t => {
  const { folding, first, tree, change } = folded(at(1))
  folding.during(change, at(0))
  folding.duringReturn(() => {
    tree.value = first
  })
  t.ok(folding.isTurned(at(1)))
  t.notOk(folding.isTurned(at(0)))
})

t.test('a group is turned, and turned back', async t => {
  const { folding } = folded(at(1))
  folding.turn(at(1))
  t.notOk(folding.isTurned(at(1)))
})
