import { compilePipeline } from '../../compiler';
import type { JsonObject } from '../../plan/text/json';
import { DRAFT, FILE, SOURCES } from './world';

/** The warnings, each with its hint, about references that are not resolved, in a step after `draft` within a loop over `item`s. */
function warningsOf(step: JsonObject): (string | undefined)[][] {
  const loop: JsonObject = { id: 'loop', for_each: '$draft.json.parts', steps: [{ id: 'x', ...step }] };
  const file: JsonObject = { ...FILE, env: { region: 'eu' }, steps: [DRAFT, { id: 'shell', run: 'true' }, loop] };
  const { diagnostics } = compilePipeline('pipeline.json', JSON.stringify(file), SOURCES);
  expect(diagnostics.filter(({ code }) => code !== 'template.not-looked-up')).toEqual([]);
  return diagnostics.map(({ message, hint }) => [/^"(.*)" stays in the text/.exec(message)?.[1], hint]);
}
const prompt = (text: string): JsonObject => ({ agent: 'writer', prompt: text });

/** The text as it is written, and the expression that works. None if the place cannot read the value. */
const MEANT: readonly [string, string][] = [
  ['$draft.title', 'draft.title'],
  ['$draft.json.title', 'draft.title'],
  ['$draft.json.parts[0]', 'draft.parts[0]'],
  ['$draft.id', '$draft.id'],
  ['$shell.stdout', '$shell.stdout'],
  ['$draft', 'draft'],
  ['$ticker', 'ticker'],
  ['$args.ticker', 'args.ticker'],
  ['$item.name', 'item.name'],
  ['$run.id', 'run.id'],
  ['{{ ticker }}', 'ticker'],
  ['{{ticker}}', 'ticker'],
  ['{{- ticker | upper -}}', 'ticker'],
  ['{{ inputs.ticker }}', 'ticker'],
  ['{{ args.ticker }}', 'args.ticker'],
  ['{{ steps.draft.outputs.title }}', 'draft.title'],
  ['{{ shell.stdout }}', '$shell.stdout'],
  ['%ticker%', 'ticker'],
  ['%draft.title%', 'draft.title'],
  ['$loop.title', ''],
];

/** Texts that only look like references, each in its step. */
const LEFT_ALONE: readonly [string, JsonObject][] = [
  ['prices and shares', prompt('It costs $5.00, $ticker1 or 5% of %d%m%Y%, 100 %ticker')],
  ['names that are none', prompt('$other.title {{ other }} %other%')],
  ['templates of other programs', prompt('{{ .ticker }} {{ .Values.draft }} {{ range .draft }} {% ticker %} {{> ticker}} {{#if ticker}}')],
  ['escapes', prompt('\\$ticker $$ticker a$ticker')],
  ['a literal brace', prompt(`$\${ticker}`)],
  ['a variable that the script sets', { run: 'ticker=1; echo $ticker "$ticker.txt"' }],
  ['a variable that is exported', { run: 'export draft="a b"\necho $draft' }],
  ['a variable that is read', { run: 'while IFS= read -r item; do echo "$item"; done' }],
  ['a variable of a loop', { run: 'for draft in *.md; do echo $draft.bak; done' }],
  ['a local variable', { run: 'f() { local ticker; ticker=$1; echo $ticker; }; f' }],
  ['a variable of jq', { run: 'jq --arg ticker "$1" \'.[] | select(.a == $ticker) | . as $draft | $draft.title\'' }],
  ['a variable of awk', { run: "awk -v draft=1 '{ print $1, $draft }'" }],
  ['a variable of PHP', { run: "php -r 'foreach ($all as $item) { $ticker = 1; echo $ticker.$item; }'" }],
  ['an environment variable of the step', { run: 'echo $ticker', env: { ticker: `\${args.ticker}` } }],
  ['an environment variable of the file', { run: 'echo $region' }],
  ['one that a program is given', { argv: ['bash', '-c', 'echo $ticker'], env: { ticker: 'x' } }],
  ['the environment of the worker', { run: 'echo $HOME $PATH $TICKER' }],
  ['a comment', { run: 'true\n  # $draft.title\ntrue' }],
  ['parameters and special variables', { run: 'echo $1 $@ $# $? $$ $! $_ $-' }],
  ['dates', { run: 'date +%Y-%m-%d%z; printf "%s%d%%" a 1' }],
  ['the format of docker', { run: "docker ps --format '{{.Names}}' && gh pr list --template '{{range .}}{{.draft}}{{end}}'" }],
];

describe('references in a spelling that texts do not look up', () => {
  it.each(MEANT)('%s: a warning has the spelling that works', (text, works) => {
    const hint = works === '' ? expect.stringContaining('only') : `write \`\${${works}}\``;
    expect(warningsOf(prompt(`Trade ${text}, now.`))).toEqual([[text, hint]]);
  });

  it.each(MEANT.filter(([, works]) => works !== ''))('%s: the spelling that works compiles, and warns of nothing', (_, works) => {
    expect(warningsOf(prompt(`Trade \${${works}}, now.`))).toEqual([]);
  });

  it.each([
    ['run', { run: 'echo $ticker' }],
    ['argv', { argv: ['echo', '$ticker'] }],
    ['stdin', { run: 'cat', stdin: 'on $ticker' }],
    ['env', { run: 'cat', env: { A: 'on $ticker' } }],
    ['cwd', { run: 'cat', cwd: './$ticker' }],
    ['message', { notify: { channel: '#desk', message: '$ticker' } }],
    ['input', { agent: 'writer', input: { about: 'on $ticker' } }],
    ['with', { pipeline: 'child.yaml', with: { title: 'on $ticker' } }],
    ['summary', { run: 'true', summary: '$ticker' }],
    ['approval', { run: 'true', approval: 'Trade $ticker?' }],
    ['prompt of a question', { input: { prompt: 'How much $ticker?' } }],
  ] as [string, JsonObject][])('warns in %s', (_, step) => {
    expect(warningsOf(step).map(([text]) => text)).toEqual(['$ticker']);
  });

  it.each(LEFT_ALONE)('leaves alone: %s', (_, step) => {
    expect(warningsOf(step)).toEqual([]);
  });

  it('leaves the text as it is', () => {
    const text = 'a $ticker b {{ ticker }} c';
    const file = { ...FILE, steps: [{ id: 'x', notify: { channel: '#desk', message: text } }] };
    const { plan } = compilePipeline('pipeline.json', JSON.stringify(file), SOURCES);
    expect(plan?.block.steps[0]).toMatchObject({ message: [text] });
  });
});
