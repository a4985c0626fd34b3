import t from 'tap'
import { type Command, commands, runCommand } from '../../src/cli/commands.ts'
import { ConfigError } from '../../src/config/settings.ts'
import { fakeTerminal } from './fake-terminal.ts'

/** Runs a command line with two commands that note what they were given. */
async function run(...argv: string[]) {
  const ran: [string, readonly string[]][] = []
  const command = (name: string, code: number): Command => ({
    name,
    summary: `does ${name}`,
    help: () => `help of ${name}`,
    run: async given => {
      ran.push([name, given])
      if (given.includes('--bad')) {
        throw new ConfigError('--bad', 'unknown flag --bad')
      }
      return code
    },
  })
  const terminal = fakeTerminal()
  const code = await runCommand(argv, terminal, [command('serve', 0), command('import', 1)])
  return { code, ran, printed: terminal.printed(), complained: terminal.complained() }
}

t.test('a command runs with its own arguments, and its exit code is the program’s', async t => {
  t.match(await run('import', 'a.log', '--gzip'), {
    code: 1,
    ran: [['import', ['a.log', '--gzip']]],
  })
  t.match(await run('serve', '--port', '0'), { code: 0, ran: [['serve', ['--port', '0']]] })
})

t.test('without a command the service starts', async t => {
  t.match(await run(), { code: 0, ran: [['serve', []]] })
  t.match(await run('--port', '0'), { code: 0, ran: [['serve', ['--port', '0']]] })
})

t.test(
  '--help tells of the program, or of the command that is named, and runs nothing',
  async t => {
    t.match(await run('--help'), {
      code: 0,
      ran: [],
      printed: /serve +does serve\n +import +does imp/,
    })
    t.match(await run('-h'), { code: 0, ran: [], printed: /Usage/ })
    t.match(await run('import', '--help'), { code: 0, ran: [], printed: 'help of import\n' })
    t.match(await run('import', 'x', '-h'), { code: 0, ran: [], printed: 'help of import\n' })
    t.match(await run('--version'), { code: 0, ran: [], printed: /^\d+\.\d+\.\d+\n$/ })
  },
)

t.test('an unknown command is refused with the list of those there are', async t => {
  const result = await run('improt', 'a.log')
  t.match(result, { code: 2, ran: [], printed: '' })
  t.match(result.complained, /"improt"; did you mean import\?/)
  t.match(result.complained, /serve +does serve/)
  t.match(await run(''), { code: 2 })
})

t.test('a wrong setting makes exit code 2 and points to the help', async t => {
  const result = await run('import', '--bad')
  t.match(result, { code: 2, complained: /unknown flag --bad\n.*logstrata import --help/ })
})

t.test('every command has a help that fits a page', async t => {
  for (const { name, help } of commands) {
    const text = await help()
    t.match(text, /^Usage: logstrata/, name)
    t.match(text, /Exit codes:/, name)
    t.same(
      text.split('\n').filter(line => line.length > 104),
      [],
      name,
    )
  }
})
