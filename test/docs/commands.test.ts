import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE, GROUPS, NOUNS } from '../../cli/catalogue';
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../../cli/command';
import { ROOT, readPage } from './page';
import { wrapProse } from './wrap';

/** docs/commands.md is made of the catalogue of commands: `UPDATE=1 npx jest test/docs/commands`. */
const PATH = 'docs/commands.md';

/** Options that many commands share are explained once. */
const MANY = 8;
const shared = (): OptionSpec[] => {
  const counts = new Map<OptionSpec, number>();
  for (const { options = [] } of CATALOGUE) for (const option of options) counts.set(option, (counts.get(option) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= MANY).map(([option]) => option);
};

const text = (doc: string): string => doc.replaceAll('<', '\\<');
const code = (words: string): string => `\`${words}\``;
const item = (words: string, meaning: string): string => `- ${code(words)}: ${meaning}\n`;

function optionDoc({ doc, choices, repeated }: OptionSpec): string {
  const more = [...(choices ? [`one of ${choices.map(code).join(', ')}`] : []), ...(repeated ? ['may be repeated'] : [])];
  return [text(doc), ...more].join('; ');
}

function command({ name, summary, arguments: args = [], options = [], examples }: CommandSpec, common: readonly OptionSpec[]): string {
  const own = options.filter((option) => !common.includes(option));
  const others = options.filter((option) => common.includes(option)).map(({ flags }) => code(flags.split(' ')[0] ?? flags));
  const words = ['thermidor', name, ...args.map(({ form }: ArgumentSpec) => form)].join(' ');
  const list = [...args.map(({ form, doc }) => item(form, text(doc))), ...own.map((option) => item(option.flags, optionDoc(option)))];
  return [
    `### ${name}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.\n\n`,
    `\`\`\`text\n${words}${options.length > 0 ? ' [options]' : ''}\n\`\`\`\n\n`,
    list.length > 0 ? `${list.join('')}\n` : '',
    others.length > 0 ? `Also ${others.join(', ')} ([common options](#common-options)).\n\n` : '',
    `\`\`\`sh\n${examples.map((line) => `thermidor ${line}\n`).join('')}\`\`\`\n`,
  ].join('');
}

function page(): string {
  const common = shared();
  const nouns = Object.entries(NOUNS).map(([noun, meaning]) => `\`${noun}\` (${meaning})`);
  return wrapProse(`# Commands

Every command, its arguments and options. \`--help\` after a command prints the same. Exit codes: 0 completed, or done; 1 failed,
rejected, cancelled, aborted, or a check failed; 2 usage, or an invalid pipeline; 3 the run waits for a person; 4 the server or a needed
part is out of reach.

Some commands are a noun and a verb: ${nouns.join(', ')}.

${GROUPS.map(({ heading, commands }) => `- ${heading}: ${commands.map(({ name }) => `[${name}](#${name.replaceAll(' ', '-')})`).join(', ')}`).join('\n')}

## Common options

${common.map((option) => item(option.flags, optionDoc(option))).join('')}
${GROUPS.map(({ heading, commands }) => `## ${heading}\n\n${commands.map((one) => command(one, common)).join('\n')}`).join('\n')}`);
}

if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, PATH), page());

test('it has every command, as the catalogue has it', () => {
  expect(readPage(PATH)).toBe(page());
});
