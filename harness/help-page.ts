/** The options of a command, said once: parseArgs, the help page and docs/options.md all take them from here. */

type Text<U = string | number | undefined> = {
  readonly type: 'string'
  /** The word for the value. */
  readonly value: string
  readonly says: string
  /** What holds where the option is not given; `default` is what parseArgs gives then. */
  readonly usual: U
}
type Flag = { readonly type: 'boolean'; readonly says: string; readonly short?: 'h' }

export type Options = Readonly<
  Record<string, Flag | (Text & { readonly multiple?: true; readonly default?: string })>
>

/** Options under one title, which other pages may have too. */
export type Group = {
  readonly title: string
  /** Lines under the title. */
  readonly about?: string
  readonly options: Options
  /** Lines under the options. */
  readonly notes?: string
}

export type Page = {
  readonly command: string
  readonly what: string
  /** Words in front of the options, where the command takes any. */
  readonly words?: string
  readonly about?: string
  readonly groups: readonly Group[]
  readonly notes?: string
  readonly exits?: string
  readonly examples?: string
}

export function text<const U extends string | number | undefined = undefined>(
  value: string,
  says: string,
  usual?: U,
): Text<U> {
  return { type: 'string', value, says, usual: usual as U }
}

/** May be given several times. */
export function texts(
  value: string,
  says: string,
  usual?: string,
): Text & { readonly multiple: true } {
  return { type: 'string', value, says, usual, multiple: true }
}

/** parseArgs gives the default where the option is not given. */
export function textOr(
  value: string,
  says: string,
  usual: string | number,
): Text & { readonly default: string } {
  return { type: 'string', value, says, usual, default: String(usual) }
}

export function flag(says: string): Flag & { readonly type: 'boolean' } {
  return { type: 'boolean', says }
}

const HELP = { help: { ...flag('this page'), short: 'h' } } as const

type Joined<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer U) => void
  ? U
  : never

type OptionsOf<P extends Page> = Joined<P['groups'][number]['options']> & typeof HELP

/** Every option of a page, for parseArgs. */
export function optionsOf<const P extends Page>({ groups }: P): OptionsOf<P> {
  return Object.assign({}, ...groups.map(({ options }) => options), HELP) as OptionsOf<P>
}

/** Whether the arguments of a process ask for help, wherever that stands. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  return words.some((word) => word === '--help' || word === '-h')
}

const WIDTH = 120
const INDENT = 30

/** The text of --help. */
export function helpOf({ command, words = '', groups, ...page }: Page): string {
  const usage = ['npm run', command, '--', words, '[options]'].filter((word) => word !== '')
  const { title = 'Options', ...last }: Partial<Group> = groups.at(-1) ?? {}
  const paragraphs = [
    paragraph(page.what),
    `Usage: ${usage.join(' ')}`,
    paragraph(page.about),
    ...groups.slice(0, -1).map(groupText),
    groupText({ ...last, title, options: { ...last.options, ...HELP } }),
    paragraph(page.notes),
    page.exits && `Exit codes (docs/verdicts.md)\n${indented(page.exits)}`,
    page.examples && `Examples\n${indented(page.examples)}`,
  ]
  return paragraphs.filter(Boolean).join('\n\n')
}

function groupText({ title, about, options, notes }: Group): string {
  const rows = Object.entries(options).map(([name, option]) => optionText(name, option))
  const [above, below] = [about, notes].map((each) => each && indented(paragraph(each) ?? ''))
  return [title, above, ...rows, below].filter(Boolean).join('\n')
}

function optionText(name: string, option: Options[string]): string {
  const short = option.type === 'boolean' && option.short ? `-${option.short}, ` : ''
  const left = `  ${short}${spelt(name, option)}`
  const usual = usualOf(option)
  const told = usual === undefined ? option.says : `${option.says} (${usual})`
  const margin = ' '.repeat(INDENT)
  const rows = wrapped(told, WIDTH - INDENT).join(`\n${margin}`)
  return (left.length < INDENT ? left.padEnd(INDENT) : `${left}\n${margin}`) + rows
}

function spelt(name: string, option: Options[string]): string {
  return option.type === 'boolean' ? `--${name}` : `--${name} ${option.value}`
}

function usualOf(option: Options[string]): string | number | undefined {
  return option.type === 'boolean' ? undefined : option.usual
}

function wrapped(line: string, width: number): string[] {
  if (line.length <= width) return [line]
  const end = line.lastIndexOf(' ', width)
  return end < 1 ? [line] : [line.slice(0, end), ...wrapped(line.slice(end + 1), width)]
}

function paragraph(lines: string | undefined): string | undefined {
  const rows = lines?.trim().split('\n')
  return rows?.flatMap((line) => wrapped(line, WIDTH - 2)).join('\n')
}

function indented(lines: string): string {
  return lines.trim().replaceAll(/^/gm, '  ')
}

/** The text of docs/options.md: each group once, with the commands that have it. */
export function optionsPage(pages: readonly Page[]): string {
  const groups = Map.groupBy(
    pages.flatMap(({ command, groups }) => groups.map((group) => ({ command, group }))),
    ({ group }) => group,
  )
  const sections = [...groups]
    .filter(([{ options }]) => Object.keys(options).length > 0)
    .map(([{ title, options }, users]) => {
      const commands = users.map(({ command }) => `\`${command}\``).join(', ')
      const rows = Object.entries(options).map(([name, option]) => rowText(name, option))
      return `## ${commands}: ${title}\n\n| option | what it does | default |\n| --- | --- | --- |\n${rows.join('\n')}\n`
    })
  return `# Options of every command

Made by \`npm run generate\` from the tables that parse them. A command shows its own with \`--help\`, beside examples and exit codes.

${sections.join('\n')}`
}

function rowText(name: string, option: Options[string]): string {
  const cells = [`\`${spelt(name, option)}\``, option.says, String(usualOf(option) ?? '')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`
}
