import t from 'tap'
import {
  byFolder,
  folderFault,
  folderText,
  found,
} from '../../../src/web/dashboards/model/folders.ts'

const board = (title: string, folderPath: string) => {
  return { id: `id of ${title}`, title, folderPath, createdAt: 1, updatedAt: 1 }
}
const all = [board('Node 10', '/b/'), board('Errors', '/a/team/'), board('Node 9', '/b/')]

t.test('dashboards are listed by folder, and numbers count as numbers', async t => {
  t.same(
    byFolder(all).map(({ path, dashboards }) => [path, dashboards.map(({ title }) => title)]),
    [
      ['/a/team/', ['Errors']],
      ['/b/', ['Node 9', 'Node 10']],
    ],
  )
  t.equal(folderText('/a/team/'), 'a › team')
  t.equal(folderText('/'), '/')
})

t.test('a search needs all of its words, wherever they stand', async t => {
  const finds = (search: string, count: number) => t.equal(found(all, search).length, count, search)

  finds('', 3)
  finds('node', 2)
  finds('TEAM err', 1)
  finds('node team', 0)
})

t.test('a folder that the service would refuse is told of', async t => {
  const isFine = (path: string) => t.equal(folderFault(path), undefined, path)
  const isNot = (path: string) => t.type(folderFault(path), 'string', path)

  isFine('/')
  isFine('/a/b c/')
  isNot('')
  isNot('/a')
  isNot('a/')
  isNot('/a//b/')
  isNot('/../')
})
