import { runWhole } from '../support/whole-run';

const pipeline = `
owner: lead
escalation: [boss, human]
steps:
  - {id: structure, agent: w, output: A.md}
  - {id: bull, agent: w, depends_on: [structure], output: B.md}
  - {id: bear, agent: w, depends_on: [structure], output: C.md}
  - {id: converge, agent: lead, action: self, depends_on: [bull, bear], output: D.md}
  - {id: review, type: review, agent: r, of: converge, depends_on: [converge], on_revise: "retry(converge, max=3)"}
  - {id: publish, run: "true", depends_on: [review], condition: review.verdict == 'pass'}
`;
const work = ['structure', 'bull', 'bear', 'converge'].map((id) => `  ${id}: [{text: ${id} says so}]`).join('\n');
const issues = '[{severity: major, field: thesis, description: too bold, suggestion: halve it}]';

function run(review: string, more = '') {
  return runWhole(pipeline, { script: `replies:\n${work}\n  review: [${review}]\n${more}` });
}

describe('point 8: revise', () => {
  it('the target is respawned with the issues, and what lies between it and the review runs again: bull, converge, review', async () => {
    const whole = run(`{round: 1, json: {verdict: revise, revise_target: bull, issues: ${issues}}}, {json: {verdict: pass}}`);
    await whole.completes();
    const agents = whole.calls.filter(({ name }) => name === 'agent').map(({ address }) => address);
    expect(agents.slice(5)).toEqual(['bull#2~1', 'converge#2~1', 'review#2~1']);
    const again = whole.requests.find(({ stepId, address }) => stepId === 'bull' && address.round === 2);
    expect(again?.prompt).toContain('halve it');
    expect(again?.prompt).toContain('bull says so');
    expect(whole.status().steps.find(({ id }) => id === 'bull')?.superseded).toMatchObject([{ state: 'superseded', round: 1 }]);
  });

  it.each(['bullish', 'publish', 'boss', 'nobody'])(
    'a target that no work before the review is of is a fault of the reply: %s',
    async (target) => {
      const report = (named: string) => `json: {verdict: revise, revise_target: ${named}, issues: ${issues}}`;
      const whole = run(`{round: 1, ask: 1, ${report(target)}}, {round: 1, ask: 2, ${report('bear')}}, {round: 2, json: {verdict: pass}}`);
      await whole.completes();
      const repair = whole.requests.find(({ stepId, ask }) => stepId === 'review' && ask === 2)?.prompt;
      expect(repair).toContain('missing_fields: ["revise_target"]');
      expect(repair).toMatch(/must be a step or an agent before the review: converge, lead, bear, w, bull, structure$/m);
      const agents = whole.calls.filter(({ name }) => name === 'agent').map(({ address }) => address);
      expect(agents.slice(5)).toEqual(['bear#2~1', 'converge#2~1', 'review#2~1']);
    },
  );

  it('the reviewer is asked by the step and the artifact that it judges', async () => {
    const whole = run('{json: {verdict: pass}}');
    await whole.completes();
    expect((await whole.envelopes()).find(({ intent }) => intent === 'review_request')).toMatchObject({
      ...{ from: 'lead', to: 'r' },
      payload: { step: 'review', of: 'converge', artifact: { $ref: 'D.md', sha256: expect.any(String) } },
    });
  });

  it('after 3 rounds it goes to the CEO, who advises with the whole history before them, and on to the chairman, who decides', async () => {
    const whole = run(
      `{json: {verdict: revise, issues: ${issues}}}`,
      '  review@boss: [{json: {decision: pass, rationale: the risk is ours}}]\n',
    );
    await whole.quiet();
    const boss = whole.requests.find(({ stepId }) => stepId === 'review@boss');
    expect(whole.calls.filter(({ address }) => address.startsWith('converge'))).toHaveLength(4);
    for (const round of ['round 1', 'round 2', 'round 3', 'round 4']) expect(boss?.prompt).toContain(round);
    expect(boss?.prompt).toContain('too bold');
    expect(whole.status().gates).toMatchObject([
      { step: 'review#4', kind: 'escalation', channel: '#approvals', said: [{ agent: 'boss', advice: 'pass' }] },
    ]);
    whole.signal('reject', { by: 'chairman', comment: 'enough' });
    await whole.quiet();
    await expect(whole.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('enough') });
  });

  it('the CEO decides if the pipeline says so on that level, and the chairman if the CEO passes it on', async () => {
    const asked = pipeline.replace('escalation: [boss, human]', 'escalation: [{agent: boss, decides: agent}, human]');
    const play = (decision: string) => {
      const boss = `  review@boss: [{json: {decision: ${decision}, rationale: the risk is ours}}]\n`;
      return runWhole(asked, { script: `replies:\n${work}\n  review: [{json: {verdict: block, issues: ${issues}}}]\n${boss}` });
    };
    const passed = play('pass');
    await passed.completes();
    expect(passed.status().steps.find(({ id }) => id === 'review')?.verdict).toMatchObject({ said: 'block', decidedBy: 'boss' });
    const passedOn = play('pass_on');
    await passedOn.quiet();
    expect(passedOn.status().gates).toMatchObject([{ step: 'review', kind: 'escalation', said: [{ agent: 'boss' }] }]);
  });
});
