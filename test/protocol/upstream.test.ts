import { MOST_UPSTREAM } from '../../plan/steps/step-activity';
import { runWhole } from '../support/whole-run';

const pipeline = `
owner: lead
steps:
  - {id: intel, agent: w, output: Intel.md}
  - {id: bull, agent: w, depends_on: [intel], output: Bull.md}
  - {id: bear, agent: w, depends_on: [intel], output: Bear.md}
  - {id: thesis, agent: lead, action: self, depends_on: [bull, bear], output: Thesis.md}
  - {id: check, type: review, agent: r, of: thesis, depends_on: [thesis], on_revise: "retry(thesis, max=2)"}
`;
const FORGED = 'ab'.repeat(32);
const read = (args: string) => `{tool: read_artifact, args: {${args}}}`;

describe('an agent that the owner spawns reads every artifact upstream of its step, by reference', () => {
  it('and its task says which there are: name, step, size, and who made it', async () => {
    const run = runWhole(pipeline, {
      script: `
replies:
  intel: [{text: rates fall}]
  bull: [{calls: [${read('step: intel')}, ${read('step: bear')}, ${read(`sha256: ${FORGED}`)}], text: it will rise}]
  bear: [{text: it will fall}]
  thesis: [{text: long, round: 1}, {text: "longer still", round: 2}]
  check:
    - {round: 1, calls: [${read('step: bull')}, ${read('name: Intel.md')}], json: {verdict: revise}}
    - {round: 2, json: {verdict: pass}}
`,
    });
    await run.completes();
    const of = (step: string, nth = 0) => run.requests.filter(({ stepId }) => stepId === step)[nth];
    const review = of('check')?.prompt ?? '';
    for (const line of [
      '- Bull.md: step bull, by w, 12 bytes',
      '- Bear.md: step bear, by w, 12 bytes',
      '- Intel.md: step intel, by w, 10 bytes',
    ])
      expect(review).toContain(line);
    expect(of('intel')?.prompt).not.toContain('Artifacts of earlier steps');
    expect(of('bull')?.prompt).not.toContain('Bear.md');
    // The agent's own two reads were not refused.
    const journal = await run.journal();
    // Parallel steps are not upstream of a step, and no digest leads to anything else.
    expect(journal.filter(({ kind }) => kind === 'tool')).toMatchObject([
      { step: 'bull', tool: 'read_artifact', outcome: 'refused', reason: expect.stringContaining('Intel.md') },
      { step: 'bull', tool: 'read_artifact', outcome: 'refused' },
    ]);
  });

  it('the nearest, if there are too many for a task', async () => {
    const many = Array.from({ length: MOST_UPSTREAM + 6 }, (_, i) => `  - {id: s${i}, run: echo ${i}}`).join('\n');
    const run = runWhole(`owner: lead\nsteps:\n${many}\n  - {id: last, agent: w}\n`, { script: 'replies: {last: [{text: done}]}' });
    await run.completes();
    const prompt = run.requests[0]?.prompt ?? '';
    expect(prompt.match(/^- .*: step s/gm)).toHaveLength(MOST_UPSTREAM);
    expect(prompt).toContain('step s68,');
    expect(prompt).not.toContain('step s0,');
    expect(prompt).toContain('Earlier steps have more outputs');
  });
});
