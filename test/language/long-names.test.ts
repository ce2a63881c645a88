import { compilePipeline, type Diagnostic, readScript } from '../../compiler';
import { loadTests } from '../../compiler/test-file/load-tests';
import type { Json } from '../../plan/text/json';
import { SOURCES } from './world';

/** A file with everything that the language has. Each text in it is replaced by a long one in turn. */
const FILE: Json = {
  name: 'p',
  owner: 'chief',
  trigger: { cron: '@daily', timezone: 'UTC', overlap: 'skip', catchup: '10m' },
  args: { ticker: { type: 'string', enum: ['BTC'], default: 'BTC', description: 'd' } },
  env: { REGION: 'eu' },
  agents: {
    chief: { role: 'x', tools: ['read_file'], categories: { deploy: ['read_file'] }, reports_to: 'human' },
    other: 'agents/other.yaml',
  },
  schemas: {
    'A.json': { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: 'a' } } },
    'B.json': 'schemas/B.schema.json',
  },
  budget: { wall_clock: '20m', on_unknown_cost: 'hold' },
  escalation: ['chief', 'human("#desk")'],
  requires_approval: { deploy: { approvers: ['ann'] } },
  channels: { '#desk': { webhook: 'secret://env/A', email: ['a@example.org'] } },
  defaults: { timeout: '10m', on_error: 'continue' },
  steps: [
    { id: 'draft', agent: 'chief', prompt: `about \${ticker}`, output: 'A.json', tools: ['read_file'], input: { a: '$args.x' } },
    { id: 'judge', type: 'review', agent: 'other', of: 'draft', on_revise: 'retry(draft, max=2)', on_block: 'escalate(human)' },
    { id: 'a', run: `echo \${draft.a}`, when: 'draft.a == "x"', depends_on: ['judge'], category: 'deploy', queue: 'gpu', timeout: '3s' },
    {
      id: 'g',
      type: 'approval',
      approvers: ['ann'],
      show: ['draft'],
      choices: ['yes'],
      quorum: '1/2',
      channel: '#desk',
      on_reject: 'skip',
    },
    { id: 'q', input: { prompt: 'what', responseSchema: { type: 'string' } } },
    { id: 'l', for_each: '$draft.json.a', item_var: 'one', steps: [{ id: 'b', run: `echo \${one.x}` }] },
    { id: 'par', branches: [{ id: 'c', run: 'true' }], wait: 'all', merge: 'union', key: 'id' },
    { id: 'kid', pipeline: 'child.yaml', with: { title: 'x' } },
    { id: 'n', notify: { channel: '#desk', message: 'm', report: 'draft' } },
    { id: 'w', wait: { signal: 'go', timeout: '1h' } },
    { id: 't', run: 'true', worktree: { base: 'main', copy: ['.env'] }, retry: { max: 2, delay: '1s', backoff: 'fixed' } },
  ],
  output: 'draft.a',
};

const SCRIPT: Json = {
  description: 'd',
  extends: 'x',
  replies: { draft: [{ fail: { code: 'model.api-error', message: 'm' } }, { calls: [{ tool: 't' }], text: 'x' }] },
  people: [{ gate: 'g', after: '1h', approve: { by: 'ann' } }],
};

const TESTS: Json = {
  pipeline: 'child.yaml',
  tests: [
    {
      name: 'one',
      script: 's',
      args: { title: 'x' },
      commands: { a: [{ stdout: 'x' }] },
      children: { kid: { script: 's' } },
      people: [{ gate: 'g', approve: { by: 'ann' } }],
      start: '2026-01-01T00:00:00Z',
      expect: {
        status: 'completed',
        error: { code: 'command.failed', step: 'a' },
        steps: { a: 'done' },
        order: ['a'],
        gates: ['g'],
        open: ['g'],
      },
    },
  ],
};

/** Yields the value once for each of its texts and keys, with this one replaced. */
function* replaced(value: Json, by: string): Generator<Json> {
  if (typeof value === 'string') yield by;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const changed of replaced(item, by)) yield value.with(i, changed);
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [i, [key, inner]] of entries.entries()) {
      yield Object.fromEntries(entries.with(i, [by, inner]));
      for (const changed of replaced(inner, by)) yield Object.fromEntries(entries.with(i, [key, changed]));
    }
  }
}

const LONG: readonly [string, string][] = [
  ['a long name', 'n'.repeat(5000)],
  ['long text', `words and words, ${'and "more" words '.repeat(300)}`],
  ['a long name of other letters', '名'.repeat(5000)],
  ['a long expression', `\${${'x'.repeat(5000)}}`],
  ['a long path', `${'a/'.repeat(2500)}b#1`],
];
const MESSAGE = 1000;

function check(found: readonly Diagnostic[]): void {
  const long = found.filter(({ message, hint = '' }) => message.length > MESSAGE || hint.length > MESSAGE || /[^\s"]{101}/.test(message));
  expect(long).toEqual([]);
}

describe('a message that quotes the author', () => {
  it.each(LONG.slice(0, 2))('is short whatever a file quotes: %s', (_, long) => {
    let mistakes = 0;
    for (const file of replaced(FILE, long)) {
      const { diagnostics } = compilePipeline('p.json', JSON.stringify(file), SOURCES);
      check(diagnostics);
      mistakes += diagnostics.length;
    }
    expect(mistakes).toBeGreaterThan(100);
  });

  it.each(LONG)('is short whatever a script or a test quotes: %s', (_, long) => {
    for (const script of replaced(SCRIPT, long)) check(readScript('scripts/s.json', JSON.stringify(script)).diagnostics);
    for (const tests of replaced(TESTS, long)) check(loadTests('p.test.json', JSON.stringify(tests), SOURCES).diagnostics);
  });

  it('shows names that are allowed, and lines to copy, as they are', () => {
    const name = 'n'.repeat(64);
    const found = compilePipeline('p.json', JSON.stringify({ name: 'p', steps: [{ id: 'a', run: 'x', when: name }] }), SOURCES).diagnostics;
    expect(found[0]?.message).toContain(`"${name}"`);
  });
});
