import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeBranches } from '../../activities/containers/merge-branches';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { VALIDATION_SCHEMA } from '../../kinds/increments/rules/answers';
import { reviewFindings } from '../../plan/patterns/review-findings';
import { findingsDelta, type Severity } from '../../plan/steps/findings';
import { type Verdict, verdictOf } from '../../plan/steps/verdict';
import type { Json, JsonObject } from '../../plan/text/json';
import { runWhole, type WholeRun } from '../support/whole-run';
import { chain, deliver } from './increments-play';

/** Both vocabularies of verdicts and both shapes of findings (docs/patterns.md, CP-2) are tested in every place that reads them. */
const WORDS: readonly [word: string, severity: Severity | undefined, verdict: Verdict][] = [
  ['pass', undefined, 'pass'],
  ['APPROVE', undefined, 'pass'],
  ['APPROVE', 'low', 'pass'],
  ['CONDITIONAL', 'high', 'pass'],
  ['CONDITIONAL', 'critical', 'revise'],
  ['revise', 'high', 'revise'],
  ['BLOCK', 'critical', 'revise'],
  ['block', 'critical', 'block'],
];

/** The severities in the words of the agents' protocol. */
const IN_PROTOCOL: Readonly<Record<Severity, string>> = { critical: 'critical', high: 'major', medium: 'minor', low: 'minor' };

const FOUND = { file: 'a.ts', line: 3, description: 'it leaks', suggestion: 'close it' };
const SHAPES: Readonly<Record<string, (severity: Severity | undefined) => JsonObject>> = {
  'a list': (severity) => ({ issues: severity ? [{ ...FOUND, field: 'a.ts:3', severity: IN_PROTOCOL[severity] }] : [] }),
  'by severity': (severity) => ({
    findings: { critical: [], high: [], medium: [], low: [], ...(severity ? { [severity]: [FOUND] } : {}) },
  }),
};

const CELLS = WORDS.flatMap(([word, severity, verdict]) =>
  Object.entries(SHAPES).map(([shape, found]) => ({
    ...{ word, shape, severity, verdict, found: found(severity) },
    name: `${word} with ${severity ?? 'nothing'}, ${shape}`,
    said: word === verdict ? {} : { said: word },
  })),
);
type Cell = (typeof CELLS)[number];

const whole = ({ word, verdict, found }: Pick<Cell, 'word' | 'verdict' | 'found'>): JsonObject => ({
  ...{ date: '2026-04-10', reviewed_artifact: 'draft', verdict: word, score: 0.5, summary: 'So it is.', ...found },
  ...(verdict === 'revise' ? { revise_target: 'w' } : {}),
});
const listed = ({ severity }: Cell) =>
  severity ? { [severity]: [expect.objectContaining({ description: 'it leaks', suggestion: 'close it' })] } : {};

const SCHEMA = readFileSync(join(__dirname, '../../pipelines/schemas/Review_Report.schema.json'), 'utf8');
const files = { 'schemas/Review_Report.schema.json': SCHEMA };

async function played(pipeline: string, replies: Record<string, Json>): Promise<WholeRun> {
  const run = runWhole(`owner: lead\nescalation: [boss, human]\nsteps:\n  - {id: draft, agent: w}\n${pipeline}`, {
    files,
    script: JSON.stringify({ replies: { draft: [{ text: 'a draft' }], ...replies } }),
  });
  await run.quiet();
  return run;
}

const stateOf = (run: WholeRun, id: string) => run.status().steps.find((step) => step.id === id)?.state;
const signals = async (run: WholeRun, type: string) =>
  (await run.journal()).flatMap((entry) => (entry.kind === 'pattern' && entry.type === type ? [entry] : []));
const APPROVED = whole({ word: 'APPROVE', verdict: 'pass', found: { issues: [] } });

const GATES = `
  - {id: only, type: review, agent: r, critic: boss, of: draft, output: Review_Report.json, on_block: continue}
  - {id: is_pass, run: "true", when: only.verdict == "pass"}
  - {id: is_revise, run: "true", when: only.verdict == "revise"}
  - {id: is_block, run: "true", when: only.verdict == "block"}
  - id: rounds
    repeat:
      until: again.verdict == "pass"
      max: 2
      on_exhausted: continue
      last_var: before
      steps:
        - {id: repeated, run: "true", when: before.again.verdict == "revise"}
        - {id: again, type: review, agent: r, of: draft, output: Review_Report.json, on_block: continue}
  - {id: second, agent: w}
  - {id: check, type: review, agent: r, of: second, output: Review_Report.json, on_revise: "retry(second, max=1)"}
`;

/** Examples for the other effects of a verdict. Every word and shape is tested below. */
const WAYS = ['APPROVE with low, by severity', 'BLOCK with critical, a list', 'block with critical, by severity'];

describe.each(CELLS.filter(({ name }) => WAYS.includes(name)))('$name', (cell) => {
  const { verdict, said } = cell;
  const report = whole(cell);

  test('a review gate decides by it, conditions read it in our words, and the journal keeps the word', async () => {
    const run = await played(GATES, {
      ...{ only: [{ json: report }], 'only.critic': [{ json: report }], again: [{ json: report }], second: [{ text: 'another' }] },
      check: [{ round: 1, json: report }, { json: APPROVED }],
      'check@boss': [{ json: { decision: 'pass_on', rationale: 'it can wait' } }],
    });
    if (verdict === 'block') run.signal('approve', { by: 'chairman' });
    await run.completes();

    const only = run.status().steps.find(({ id }) => id === 'only');
    expect(only?.verdict).toMatchObject({ verdict, ...said });
    expect(await run.json(only?.artifact)).toEqual(report);
    expect((await signals(run, 'review_result'))[0]?.data).toEqual({ verdict, ...said, iteration: 1, findings: listed(cell) });

    const envelopes = await run.envelopes();
    const fromCritic = envelopes.filter(({ from, intent }) => from === 'boss' && intent === 'review_verdict');
    expect(fromCritic.map(({ payload }) => payload)).toEqual([{ verdict, ...said }]);

    expect(['pass', 'revise', 'block'].filter((word) => stateOf(run, `is_${word}`) === 'done')).toEqual([verdict]);
    const asked = run.requests.map(({ stepId }) => stepId);
    expect(asked.filter((key) => key === 'again')).toHaveLength(verdict === 'pass' ? 1 : 2);
    expect(run.calls.some(({ address }) => address.includes('repeated'))).toBe(verdict === 'revise');

    const revised = ['second', 'check', 'second', 'check'];
    const behind = { pass: ['second', 'check'], revise: revised, block: ['second', 'check', 'check@boss'] }[verdict];
    expect(asked.slice(asked.indexOf('second'))).toEqual(behind);
    const back = (await signals(run, 'fix_required')).map(({ data }) => data);
    expect(back).toEqual(verdict === 'revise' ? [{ iteration: 1, findings: listed(cell) }] : []);
    const last = (await signals(run, 'review_result')).at(-1)?.data;
    if (verdict === 'revise')
      expect(last).toMatchObject({ verdict: 'pass', said: 'APPROVE', delta: { resolved: 1, remaining: 0, added: 0 } });
    if (verdict === 'block') expect(run.requests.at(-1)?.prompt).toContain('Verdict block; score 0.5; findings: 1 critical.');
  });
});

test('reviews with every word and shape are decided by their verdict in one run, and the journal keeps the words', async () => {
  const steps = CELLS.flatMap((_, index) => [
    `  - {id: c${index}, type: review, agent: r, of: draft, output: Review_Report.json, on_block: continue}`,
    ...['pass', 'revise', 'block'].map((is) => `  - {id: c${index}_${is}, run: "true", when: c${index}.verdict == "${is}"}`),
  ]);
  const run = await played(steps.join('\n'), Object.fromEntries(CELLS.map((cell, index) => [`c${index}`, [{ json: whole(cell) }]])));
  await expect(run.result).resolves.toMatchObject({ status: 'completed' });
  const results = await signals(run, 'review_result');
  for (const [index, cell] of CELLS.entries()) {
    const { verdict, said } = cell;
    const step = run.status().steps.find(({ id }) => id === `c${index}`);
    expect([cell.name, step?.verdict]).toMatchObject([cell.name, { verdict, ...said }]);
    expect(await run.json(step?.artifact)).toEqual(whole(cell));
    expect(results[index]?.data).toEqual({ verdict, ...said, iteration: 1, findings: listed(cell) });
    const held = ['pass', 'revise', 'block'].filter((is) => stateOf(run, `c${index}_${is}`) === 'done');
    expect([cell.name, held]).toEqual([cell.name, [verdict]]);
  }
});

describe.each(CELLS)('$name', (cell) => {
  const { word, verdict, severity, said, found } = cell;
  const report = whole(cell);

  test('is read as one verdict, with its findings, and is a report by the shipped schema', () => {
    expect(verdictOf(report)).toMatchObject({ verdict, ...said, findings: severity ? { [severity]: 1 } : {} });
    expect(reviewFindings(report)).toEqual(listed(cell));
    expect(checkSchemaHere('the shipped Review_Report.json', JSON.parse(SCHEMA) as Json, report)).toBeUndefined();
  });

  test('a validator of an increment is read the same', async () => {
    const answer = { verdict: word, suggestion: 'close it', ...found };
    expect(checkSchemaHere(`validation ${cell.name}`, VALIDATION_SCHEMA as unknown as Json, answer)).toBeUndefined();
    const delivered = deliver({ tasks: chain(1), validates: (_, attempt) => ({ says: attempt === 1 ? answer : { verdict: 'APPROVE' } }) });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.started().filter((part) => part.endsWith('validator'))).toHaveLength(verdict === 'pass' ? 1 : 2);
    const failed = verdict === 'pass' ? [] : [{ failed_gates: ['validator'], affected_files: ['a.ts'], suggestion: 'close it' }];
    expect(delivered.feedback('fix_required').map(({ data }) => data)).toMatchObject(failed);
    expect(delivered.feedback('review_result')[0]).toMatchObject({
      ...{ from: 'judge', data: { verdict, ...said, increment: 'INCREMENT-1', iteration: 1, findings: listed(cell) } },
    });
  });

  test('branches that review are merged by what they found', () => {
    const branches = new Map<string, Json>([
      ['one', { verdict: word, ...found }],
      ['two', { verdict: 'APPROVE', ...found }],
    ]);
    const { merged, conflicts } = mergeBranches({ how: 'union', key: 'description' }, branches);
    expect(merged).toEqual(
      severity ? [expect.objectContaining({ ...FOUND, severity: expect.stringMatching(/^(critical|high|major|minor|low)$/) })] : [],
    );
    expect(conflicts).toEqual([]);
  });
});

describe('findings', () => {
  const before = { findings: { critical: [FOUND], low: [{ file: 'b.ts', description: 'it is slow' }] } };

  test('are the same whatever their shape, and an issue is one that another file has', () => {
    const [list, other] = [[{ severity: 'critical', ...FOUND, line: 9 }], [{ severity: 'critical', ...FOUND, file: 'c.ts' }]];
    expect(findingsDelta(before, { issues: list })).toEqual({ resolved: 1, remaining: 1, added: 0 });
    expect(findingsDelta(before, { issues: other })).toEqual({ resolved: 2, remaining: 0, added: 1 });
  });

  test('count once if both keys have them, and none is left out', () => {
    const both = { verdict: 'CONDITIONAL', issues: [{ severity: 'critical', ...FOUND }], ...before };
    expect(verdictOf(both)).toMatchObject({ verdict: 'revise', findings: { critical: 1, low: 1 } });
    const milder = { ...both, issues: [{ severity: 'minor', ...FOUND }] };
    expect(verdictOf(milder)).toMatchObject({ verdict: 'revise', findings: { critical: 1, low: 2 } });
    expect(verdictOf({ ...both, issues: [] })).toMatchObject({ verdict: 'revise', findings: { critical: 1, low: 1 } });
  });

  test.each<[Json, Partial<Record<Severity, number>>]>([
    [{ critical: 'it leaks' }, { critical: 1 }],
    [{ critical: FOUND, high: null }, { critical: 1 }],
    [
      { Critical: [FOUND], MAJOR: [FOUND, 'text'] },
      { critical: 1, high: 2 },
    ],
    [{ critical: 0, high: '', medium: {}, low: [] }, {}],
    [
      { security: [{ severity: 'critical' }, {}], total: 2 },
      { critical: 1, medium: 1 },
    ],
    ['none', {}],
    [{ constructor: [{}] }, { medium: 1 }],
  ])('of %j are counted: %j', (findings, counted) => {
    expect(verdictOf({ verdict: 'CONDITIONAL', findings })?.findings).toEqual(counted);
  });
});

test('a word is kept without the blanks around it', () => {
  expect(verdictOf({ verdict: `  BLOCK ${' '.repeat(100_000)}` })).toEqual({ verdict: 'revise', said: 'BLOCK', findings: {} });
});

test('findings that fall 3, 2, 1 in a review by severity are progress, and go on; 3, 3 is none', async () => {
  const round = (number: number, count: number) => {
    const critical = Array.from({ length: count }, (_, i) => ({ ...FOUND, description: `it leaks ${i}` }));
    return { round: number, json: whole({ word: 'BLOCK', verdict: 'pass', found: { findings: { critical } } }) };
  };
  const step =
    '  - {id: check, type: review, agent: r, of: draft, output: Review_Report.json, on_revise: "retry(draft, max=5)", stall_rounds: 1, on_stall: stop}\n';
  const falling = await played(step, { check: [round(1, 3), round(2, 2), round(3, 1), { json: APPROVED }] });
  await expect(falling.result).resolves.toMatchObject({ status: 'completed' });
  const results = (await signals(falling, 'review_result')).map(({ data }) => data);
  expect(results).toMatchObject([
    { said: 'BLOCK', findings: { critical: [{}, {}, {}] } },
    { delta: { resolved: 1, remaining: 2, added: 0 } },
    { delta: { resolved: 1, remaining: 1, added: 0 } },
    { verdict: 'pass', said: 'APPROVE', findings: {} },
  ]);
  const stalled = await played(step, { check: [round(1, 3), round(2, 3)] });
  await expect(stalled.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('for 1 rounds') });
});
