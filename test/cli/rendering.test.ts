import { createColors } from 'picocolors';
import { renderSummary } from '../../cli/rendering/summary';
import { renderEmpty } from '../../cli/rendering/text/empty';
import { manyLines, oneLine, pad, truncate, truncateColored, widthOf } from '../../cli/rendering/text/printable';
import { alignColumns, renderTable } from '../../cli/rendering/text/table';
import { bytes, renderUsage } from '../../cli/rendering/text/usage';
import { renderTree } from '../../cli/rendering/tree';
import { duration } from '../../plan/text/duration';
import { fakeTerminal } from './fake-terminal';
import { at, runView, stepView } from './views';

const { colors } = fakeTerminal();
const tree = (view: ReturnType<typeof runView>, columns = 120): string[] => renderTree(view, { colors, columns, now: Date.parse(at(60)) });
const DONE = { state: 'done', startedAt: at(1), endedAt: at(3) } as const;

describe('text from outside', () => {
  test('cannot move the cursor, colour, or turn the direction of writing', () => {
    const nasty = 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007\r\u0008\u202eb\u200bc\u0000';
    expect([...oneLine(nasty)].every((character) => character >= ' ' && character <= '~')).toBe(true);
    expect(manyLines(`x\n${nasty}`).split('\n')).toHaveLength(2);
  });

  test('a wide character takes two columns', () => {
    expect(widthOf('量化 ok')).toBe(7);
    expect(pad('量', 4)).toBe('量  ');
  });

  test('is cut to what fits, colours closed', () => {
    expect(truncate('abcdef', 4)).toBe('abc…');
    const cut = truncateColored(`${createColors(true).red('abcdef')}ghi`, 4);
    expect(widthOf(cut)).toBe(4);
    expect(cut.endsWith('\u001b[0m')).toBe(true);
  });
});

test.each([
  [0, '0.0 s'],
  [940, '0.9 s'],
  [59_000, '59 s'],
  [185_000, '3 min 05 s'],
  [7_620_000, '2 h 07 min'],
  [273_600_000, '3 d 4 h'],
])('%i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('unknown cost is said to be unknown', () => {
  const usage = { inputTokens: 1200, outputTokens: 300, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
  expect(renderUsage(usage)).toBe('1.5k tokens, cost unknown');
  expect(renderUsage({ ...usage, costMicroUsd: 12_300 })).toBe('1.5k tokens, $0.0123');
  expect(bytes(1536)).toBe('1.5 kB');
});

describe('a table', () => {
  const on = (columns?: number) => ({ colors, live: columns !== undefined, columns: () => columns ?? 0 });
  const rows = [
    ['release-1', 'x'.repeat(40), 'waits for\nann'],
    ['研究', '🚀', 'é'],
  ];
  const table = (columns?: number): string[] => renderTable(['RUN', 'WHAT', 'WHY'], rows, on(columns)).split('\n').slice(0, -1);

  it('is as wide as its content, with wide characters and accents counted as a terminal shows them', () => {
    expect(table()).toEqual([
      `RUN        WHAT${' '.repeat(38)}WHY`,
      `release-1  ${'x'.repeat(40)}  waits for ann`,
      `研究       🚀${' '.repeat(40)}é`,
    ]);
  });

  it('is cut on a terminal, the widest columns first and what names the rows last, and never wrapped', () => {
    expect(table(40)).toEqual([
      'RUN        WHAT            WHY',
      `release-1  ${'x'.repeat(13)}…  waits for ann`,
      `研究       🚀${' '.repeat(14)}é`,
    ]);
    for (const columns of [20, 30, 50]) for (const line of table(columns)) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(28, columns));
  });

  it('is whole if it goes into a pipe', () => {
    expect(table().join('\n')).toContain('x'.repeat(40));
  });
});

test('columns without headings are aligned and whole', () => {
  expect(
    alignColumns([
      ['server', 'x'.repeat(300)],
      ['a longer name', 'y'],
    ]),
  ).toEqual([`server         ${'x'.repeat(300)}`, 'a longer name  y']);
});

test('an empty answer says what to type next', () => {
  expect(renderEmpty('no runs', 'start one with', 'run PIPELINE', ' --address h:1')).toBe(
    'no runs; start one with: thermidor run PIPELINE --address h:1\n',
  );
});

describe('the tree', () => {
  const review = stepView('review', {
    ...DONE,
    kind: 'review',
    agent: 'reviewer',
    address: 'review#2',
    round: 2,
    verdict: { verdict: 'pass', findings: { low: 1 } },
    superseded: [
      {
        address: 'review',
        state: 'superseded',
        round: 1,
        try: 1,
        verdict: { verdict: 'revise', findings: { high: 2 }, reviseTarget: 'bull' },
      },
    ],
  });

  test('shows each step with round, time and verdict, and earlier rounds below it', () => {
    const lines = tree(runView([stepView('intel', { ...DONE, agent: 'finance' }), review]));
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/✓ intel +finance +2\.0 s/);
    expect(lines[2]).toMatch(/✓ review +reviewer +2\.0 s +round 2 +pass +1 low/);
    expect(lines[3]).toMatch(/↺ round 1 +revise → bull +2 high/);
  });

  test('a step that runs shows the time until now', () => {
    expect(tree(runView([stepView('a', { state: 'running', startedAt: at(50) })]))[1]).toContain('10 s');
  });

  test('an agent at work shows which turn it is at', () => {
    expect(tree(runView([stepView('a', { state: 'running', startedAt: at(50), turn: 7 })]))[1]).toContain('10 s  turn 7');
  });

  test('says why a run failed, and that a script stood in', () => {
    const lines = tree(runView([], { state: 'failed', script: 'daily', error: { step: 'bull', code: 'model.refused', message: 'no' } }));
    expect(lines[0]).toContain('script "daily"');
    expect(lines[1]).toMatch(/bull: no {2}model\.refused/);
  });

  test('no step’s line is wider than the terminal', () => {
    const long = stepView('a', { state: 'failed', error: { code: 'internal', message: 'x'.repeat(500) } });
    for (const line of tree(runView([long]), 60).slice(1)) expect(widthOf(line)).toBeLessThanOrEqual(60);
  });

  test('a run that is still opening has no steps and no times', () => {
    expect(tree(runView([]))).toHaveLength(1);
  });
});

describe('the summary', () => {
  const view = runView([stepView('approve', { ...DONE, decision: { choice: 'approve', by: 'chairman', comment: 'fine' } })], {
    state: 'completed',
    script: 'daily',
  });
  const artifacts = [
    { step: 'bull', name: 'Bull.json', path: '/s/Bull.json', headline: 'up', facts: [], thesis: true },
    { step: 'converge', name: 'Strategy.json', path: '/s/Strategy.json', headline: 'buy the dip', facts: ['direction long'], thesis: true },
    { step: 'analysis', name: 'Data.json', path: '/s/Data.json', headline: 'plausible', facts: [] },
  ];

  test('gives the last thesis, what was said with decisions, and each path; what the tree says it leaves out', () => {
    const text = renderSummary(view, artifacts, ['#errors: none'], colors);
    expect(text).toMatch(/Strategy\.json +direction long\n +buy the dip/);
    expect(text).toContain('approve: approve by chairman  “fine”');
    for (const { path } of artifacts) expect(text).toContain(path);
    expect(text).not.toMatch(/completed|script/);
    const silent = runView([stepView('approve', { ...DONE, decision: { choice: 'approve', by: 'chairman' } })]);
    expect(renderSummary(silent, artifacts, [], colors)).not.toContain('chairman');
    const said = { ...view, reason: 'approve was rejected by chairman: fine' };
    expect(renderSummary(said, artifacts, [], colors)).not.toContain('fine');
    expect(text).toContain('#errors: none');
  });

  test('of a run without outputs has nothing to say', () => {
    expect(renderSummary(runView([]), [], [], colors)).toBe('');
  });
});
