import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURES } from '../../plan/run/failure';
import { TURN_STOPS } from '../../records/transcripts/turn';
import { ABILITIES } from '../contract/play';
import { blocksOf, ROOT, readPage } from './page';

/** docs/adapters.md quotes the example as it is in `examples/adapter`, where the contract runs over it. */
const PATH = 'docs/adapters.md';

function quoted(path: string): string {
  return readPage(path).replaceAll("'../../worker'", "'thermidor'");
}

function abilityRows(): string {
  const rows = Object.entries(ABILITIES).map(([name, doc]) => `| \`${name}\` | ${doc} |\n`);
  return `<!-- abilities -->\n| ability | the adapter, or its other side |\n|---|---|\n${rows.join('')}<!-- end -->`;
}

const asItShouldBe = (page: string): string =>
  page
    .replace(/<!-- abilities -->\n[\s\S]*?<!-- end -->/, abilityRows)
    .replace(/^```ts\n\/\/ (examples\/\S+)\n[\s\S]*?^```$/gm, (_, path: string) => `\`\`\`ts\n// ${path}\n${quoted(path)}\`\`\``);

if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, PATH), asItShouldBe(readPage(PATH)));
const page = readPage(PATH);

describe('docs/adapters.md', () => {
  it('quotes the files of the example as they are, and names every ability', () => {
    expect(page).toBe(asItShouldBe(page));
    const files = blocksOf(page, 'ts').flatMap((text) => /^\/\/ (examples\/\S+)\n/.exec(text)?.[1] ?? []);
    expect(files).toEqual(['house-service', 'house', 'house-adapter', 'house-worker'].map((name) => `examples/adapter/${name}.ts`));
  });

  it('has every field of an adapter, and every reason why a turn is no whole reply', () => {
    const fieldsIn = (text: string) => [...text.matchAll(/^ {2}readonly (\w+\??): /gm)].map(([, name]) => name);
    const [, written = ''] = readPage('activities/agent-port.ts').split('export interface AgentAdapter {');
    const [quote = ''] = blocksOf(page, 'ts').filter((text) => text.includes('\ninterface AgentAdapter {'));
    expect(fieldsIn(quote)).toEqual(fieldsIn(written.slice(0, written.indexOf('\n}'))));
    for (const stop of TURN_STOPS) expect(page).toMatch(new RegExp(`[\`']${stop}[\`']`));
  });

  it('has a test, yours.test.ts, that is written as those of shipped adapters are', () => {
    const lines = (text: string) => text.trim().split('\n').sort();
    const [, ...printed] =
      blocksOf(page, 'ts')
        .find((text) => text.startsWith('// test/contract/yours.test.ts\n'))
        ?.split('\n') ?? [];
    const shipped = readPage('test/contract/openai.test.ts').replaceAll('OPENAI', 'YOURS').replaceAll('openai', 'yours');
    expect(lines(printed.join('\n'))).toEqual(lines(shipped));
  });

  it('says of each code who tries again as the table of failures has it', () => {
    const [, table = ''] = page.split('### What it fails with');
    const rows = [...table.matchAll(/^\| `([a-z]+\.[a-z-]+)` \|.*\| (.+) \|$/gm)];
    const again = { temporal: /^Temporal/, once: /^one new try/, never: /^nobody/, respawn: /^a fresh agent/ };
    expect(rows.length).toBeGreaterThan(9);
    for (const [, code = '', who] of rows) expect([code, who]).toEqual([code, expect.stringMatching(again[retriedOf(code)])]);
  });
});

function retriedOf(code: string): (typeof FAILURES)[keyof typeof FAILURES]['retried'] {
  const found = Object.entries(FAILURES).find(([name]) => name === code);
  if (!found) throw new Error(`there is no code ${code}`);
  return found[1].retried;
}
