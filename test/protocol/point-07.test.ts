import { shippedFiles } from '../programs/program-files';
import { runWhole } from '../support/whole-run';

const shipped = shippedFiles();

/** The gates of the protocol: the agent that is asked, the agent that asks, and words that the instructions must have. */
const GATES = [
  ['strategy submission', 'reviewer', 'quant_strategist', ['Completeness', 'Risk logic']],
  ['back-test', 'backtest_reviewer', 'quant_strategist', ['Plausible metrics', 'drawdown']],
  ['engineering delivery', 'engineering_reviewer', 'ceo_coo', ['Code quality', 'Test coverage']],
  ['outward copy', 'copy_reviewer', 'ceo_coo', ['Brand', 'Law']],
] as const;

const pipeline = (reviewer: string, owner: string) => `
owner: ${owner}
steps:
  - {id: work, agent: w, output: Work.md}
  - {id: gate, type: review, agent: ${reviewer}, of: work, output: Review_Report.json, on_revise: "retry(work, max=3)"}
  - {id: out, run: "true", condition: gate.verdict == 'pass'}
`;
const report = (verdict: string, issues = '[]', more = '') =>
  `{date: "2026-04-10", reviewed_artifact: Work.md, verdict: ${verdict}, score: 0.8, issues: ${issues}, summary: judged${more}}`;

describe('point 7: review gates', () => {
  it.each(GATES)('%s has a reviewer, %s, that a pipeline can use: it sends back, and passes', async (_, reviewer, owner, words) => {
    const issue = '[{severity: major, field: all, description: too short, suggestion: write more}]';
    const run = runWhole(pipeline(reviewer, owner), {
      files: shipped,
      script: `
replies:
  work: [{text: the work}]
  gate: [{round: 1, json: ${report('revise', issue, ', revise_target: work')}}, {round: 2, json: ${report('pass')}}]
`,
    });
    await run.completes();
    const [first, again] = run.requests.filter(({ stepId }) => stepId === 'gate');
    expect(first?.agent).toMatchObject({ id: reviewer, reportsTo: owner });
    for (const word of words) expect(first?.system).toContain(word);
    expect(first?.schema).toMatchObject({ title: 'Review_Report' });
    expect(again?.prompt).toContain('too short');
    const gate = run.status().steps.find(({ id }) => id === 'gate');
    expect(gate).toMatchObject({ round: 2, verdict: { verdict: 'pass', delta: { resolved: 1, remaining: 0, added: 0 } } });
    expect(run.requests.find(({ stepId, address }) => stepId === 'work' && address.round === 2)?.prompt).toContain('write more');
  });

  it.each(GATES)('%s: a verdict of %s without its report is asked for again', async (_, reviewer, owner) => {
    const run = runWhole(pipeline(reviewer, owner), {
      files: shipped,
      script: `
replies:
  work: [{text: the work}]
  gate: [{ask: 1, json: {verdict: pass}}, {ask: 2, json: ${report('pass')}}]
`,
    });
    await run.completes();
    expect(run.requests.filter(({ stepId }) => stepId === 'gate').map(({ ask }) => ask)).toEqual([1, 2]);
  });
});
