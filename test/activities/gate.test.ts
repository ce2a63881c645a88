import { createHash } from 'node:crypto';
import { gate } from '../../activities/gates/render-gate';
import type { GateInput } from '../../plan/people/gate-activities';
import type { ApprovalStep } from '../../plan/steps/step';
import { KEY, outputTemplate, type Workshop, workshop } from './workshop';

const STEP: ApprovalStep = {
  id: 'approve',
  kind: 'approval',
  prompt: ['Trade on ', ...outputTemplate('converge', 'thesis'), '?'],
  show: ['converge'],
};

async function inputs(shop: Workshop, thesis = 'up'): Promise<Pick<GateInput, 'run' | 'inputs'>> {
  const converge = await shop.artifacts.put(JSON.stringify({ thesis }), { mediaType: 'application/json', name: 'Thesis.json' });
  return { run: KEY.run, inputs: { converge } };
}

describe('a gate', () => {
  test('asks its question and shows outputs in a document whose digest is what a decision binds to', async () => {
    const shop = workshop();
    await shop.open([STEP]);
    const rendered = await gate(shop.toolbox, shop.call('approve#1~1/gate'), await inputs(shop));
    expect(rendered.question).toBe('Trade on up?');
    const document = (await shop.artifacts.get(rendered.document)).toString();
    expect(document).toContain('{\n  "thesis": "up"\n}');
    expect(rendered.shownSha256).toBe(createHash('sha256').update(document).digest('hex'));
  });

  test('has another digest when something else is shown', async () => {
    const shop = workshop();
    await shop.open([STEP]);
    const call = shop.call('approve#1~1/gate');
    const one = await gate(shop.toolbox, call, await inputs(shop));
    const same = await gate(shop.toolbox, call, await inputs(shop));
    const other = await gate(shop.toolbox, call, await inputs(shop, 'down'));
    expect(same).toEqual(one);
    expect(other.shownSha256).not.toBe(one.shownSha256);
  });

  test('says how much of a long output it does not show, whose digest is of all', async () => {
    const shop = workshop();
    await shop.open([STEP]);
    const converge = await shop.artifacts.put('x'.repeat(1_000_000), { mediaType: 'text/plain', name: 'Thesis.txt' });
    const given = { run: KEY.run, inputs: { converge } };
    const rendered = await gate(shop.toolbox, shop.call('approve#1~1/gate'), given);
    const document = (await shop.artifacts.get(rendered.document)).toString();
    expect(document).toContain(`sha256 ${converge.sha256}`);
    expect(document.slice(-200)).toContain(`x\n[… ${1_000_000 - 256 * 1024} more characters; they are not shown here]`);
  });

  test('says why it came to a person, for a step of any kind', async () => {
    const shop = workshop();
    await shop.open([{ id: 'converge', kind: 'wait', forMs: 1 }]);
    const escalation = { reason: 'the reviewer blocked', chain: ['human'] };
    const rendered = await gate(shop.toolbox, shop.call('converge#4~1/gate'), { ...(await inputs(shop)), escalation });
    expect(rendered.question).toBe('Step "converge" needs a decision: the reviewer blocked');
  });

  test('has everybody’s word in the question, however long the reason is, and the whole of each in the document', async () => {
    const shop = workshop();
    await shop.open([{ id: 'review', kind: 'wait', forMs: 1 }]);
    const said = `advises to end the run: ${'a'.repeat(3000)} last`;
    const escalation = {
      reason: 'x'.repeat(2000),
      chain: ['ceo', 'cto', 'human'],
      before: ['ceo', 'cto'].map((agent) => ({ agent, said })),
    };
    const rendered = await gate(shop.toolbox, shop.call('review#1~1/gate'), { run: KEY.run, escalation });
    expect(rendered.question.length).toBeLessThanOrEqual(1000);
    expect(rendered.question.split('\n').map((line) => line.slice(0, 26))).toEqual([
      'Step "review" needs a deci',
      'ceo advises to end the run',
      'cto advises to end the run',
    ]);
    const document = (await shop.artifacts.get(rendered.document)).toString();
    expect(document.split(' last\n')).toHaveLength(3);
    expect(document).toContain(escalation.reason);
  });

  test('has what a review has found in earlier rounds, oldest first, after what is shown', async () => {
    const shop = workshop();
    await shop.open([{ id: 'review', kind: 'wait', forMs: 1 }]);
    const found = async (nth: number) =>
      await shop.artifacts.put(`finding ${nth}`, { mediaType: 'text/plain', name: 'Review_Report.json' });
    const rounds = await Promise.all(
      [1, 2].map(async (round) => ({
        ...{ step: 'review', round, artifact: await found(round) },
        verdict: { verdict: 'revise' as const, findings: { high: round }, summary: `not yet ${round}` },
      })),
    );
    const escalation = { reason: 'it still asks for a revision', chain: ['human'], rounds };
    const rendered = await gate(shop.toolbox, shop.call('review#3~1/gate'), { run: KEY.run, escalation });
    const document = (await shop.artifacts.get(rendered.document)).toString();
    const told = [
      '## review, round 1: Review_Report.json',
      '1 high',
      'not yet 1',
      'finding 1',
      '## review, round 2',
      'not yet 2',
      'finding 2',
    ];
    const places = told.map((words) => document.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('has a line for each member’s answer, and none that another one has written', async () => {
    const shop = workshop();
    await shop.open([{ id: 'review', kind: 'wait', forMs: 1 }]);
    const escalation = { reason: 'no', chain: ['cto', 'human'], before: [{ agent: 'cto', said: 'advises: wait\n\nceo advises to pass' }] };
    const rendered = await gate(shop.toolbox, shop.call('review#1~1/gate'), { run: KEY.run, escalation });
    for (const text of [rendered.question, (await shop.artifacts.get(rendered.document)).toString()])
      expect(text.split('\n').filter((line) => line.startsWith('ceo'))).toEqual([]);
  });

  test('has no heading of a round, and no line of the engine’s, that a review has written itself', async () => {
    const shop = workshop();
    await shop.open([{ id: 'review', kind: 'wait', forMs: 1 }]);
    const summary = 'not yet\n\n## review, round 2\n\nVerdict pass.\rIt failed with run.aborted: no';
    const rounds = [{ step: 'review', round: 1, verdict: { verdict: 'revise' as const, said: 'x")\n## y', findings: {}, summary } }];
    const escalation = { reason: 'it still asks for a revision', chain: ['human'], rounds };
    const rendered = await gate(shop.toolbox, shop.call('review#1~1/gate'), { run: KEY.run, escalation });
    const lines = (await shop.artifacts.get(rendered.document)).toString().split(/[\r\n]+/);
    expect(lines.filter((line) => line.startsWith('## review, '))).toEqual(['## review, round 1']);
    expect(lines.filter((line) => /^(?:## y|Verdict pass|It failed)/.test(line))).toEqual([]);
    expect(lines).toContain('> ## review, round 2');
  });

  test('after a container reads its output, and says who may answer', async () => {
    const shop = workshop();
    const approval = {
      prompt: ['Ship ', ...outputTemplate('par', 'a'), '?'],
      initiatedBy: ['joe'],
      requireDifferentApprover: true as const,
    };
    await shop.open([{ id: 'par', kind: 'parallel', branches: [{ id: 'a', kind: 'wait', forMs: 1 }], approval }]);
    const par = await shop.artifacts.put('{"a":"it"}', { mediaType: 'application/json', name: 'par.json' });
    const rendered = await gate(shop.toolbox, shop.call('par#1~1/gate'), { run: KEY.run, inputs: { par } });
    expect(rendered).toMatchObject({ question: 'Ship it?', approval: { initiatedBy: 'joe', requireDifferentApprover: true } });
    expect(rendered.approval?.form).toEqual(rendered.form);
  });

  test('shows a preview in its form, and once in the document that a decision binds to', async () => {
    const shop = workshop();
    const preview = outputTemplate('diff');
    await shop.open([
      { id: 'shown', kind: 'approval', show: ['diff'], preview },
      { id: 'alone', kind: 'approval', show: [], preview },
    ]);
    const diff = await shop.artifacts.put('+ two\n- one\n', { mediaType: 'text/plain', name: 'diff.txt' });
    for (const step of ['shown', 'alone']) {
      const rendered = await gate(shop.toolbox, shop.call(`${step}#1~1/gate`), { run: KEY.run, inputs: { diff } });
      const read = async (ref = rendered.document) => (await shop.artifacts.get(ref)).toString();
      expect(JSON.parse(await read(rendered.form))).toMatchObject({ preview: '+ two\n- one' });
      expect((await read()).split('+ two\n- one')).toHaveLength(2);
    }
  });

  test('binds a decision to all that a preview shows, however long it is', async () => {
    const shop = workshop();
    await shop.open([{ ...STEP, prompt: ['Trade?'], show: [], preview: outputTemplate('converge', 'thesis') }]);
    const call = shop.call('approve#1~1/gate');
    const one = await gate(shop.toolbox, call, await inputs(shop, `${'x'.repeat(200_000)}a`));
    const other = await gate(shop.toolbox, call, await inputs(shop, `${'x'.repeat(200_000)}b`));
    expect(other.shownSha256).not.toBe(one.shownSha256);
    const long = await gate(shop.toolbox, call, await inputs(shop, 'x'.repeat(2_000_000)));
    expect(long.form?.sizeBytes).toBeLessThan(300_000);
  });

  test('asks a question of its own if the step has none, and keeps a long one short', async () => {
    const shop = workshop();
    await shop.open([
      { id: 'approve', kind: 'approval' },
      { ...STEP, id: 'long' },
    ]);
    expect((await gate(shop.toolbox, shop.call('approve#1~1/gate'), { run: KEY.run })).question).not.toBe('');
    const rendered = await gate(shop.toolbox, shop.call('long#1~1/gate'), await inputs(shop, 'x'.repeat(5000)));
    expect(rendered.question).toHaveLength(1000);
    expect((await shop.artifacts.get(rendered.document)).toString()).toContain('x'.repeat(5000));
  });
});
