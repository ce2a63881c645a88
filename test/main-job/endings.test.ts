import type { StepView } from '../../plan/run/status';
import { playToTheEnd, runScripted, type ScriptedRun } from './workshop';

/** Tests the end of the main job under each script that is shipped with it (docs/protocol.md, 4.6 to 4.8). */
describe('daily_quant_pipeline', () => {
  let run: ScriptedRun;
  afterEach(() => run.close());

  const play = async (script: string, pipeline = 'daily_quant_pipeline') => {
    run = await runScripted(pipeline, script);
    const status = await playToTheEnd(run);
    const step = (id: string) => status.steps.find((view) => view.id === id) as StepView;
    return { status, step };
  };
  const envelopes = async (intent: string) =>
    (await run.journal()).flatMap((entry) => (entry.kind === 'envelope' && entry.envelope.intent === intent ? [entry.envelope] : []));

  it('runs to the chairman’s approval after one revision of the thesis', async () => {
    const { status, step } = await play('daily-quant');
    expect(status).toMatchObject({ state: 'completed', script: 'daily-quant' });
    expect(status.steps.map(({ id, round, state }) => `${id}#${round} ${state}`)).toEqual([
      'intel#1 done',
      'structure#1 done',
      'bull#1 done',
      'bear#1 done',
      'converge#2 done',
      'review#2 done',
      'data_analysis#1 done',
      'approve#1 done',
    ]);
    expect(step('review')).toMatchObject({ verdict: { verdict: 'pass' }, superseded: [{ verdict: { verdict: 'revise' } }] });
    expect(step('approve').decision).toMatchObject({ choice: 'approve', by: 'chairman' });
    expect(
      status.steps.filter(({ kind }) => kind !== 'approval').every(({ artifact, adapter }) => artifact && adapter === 'scripted'),
    ).toBe(true);
    const announced = (await envelopes('deliver_report')).filter(({ to }) => to === 'ceo_coo');
    expect(announced.map(({ from, payload }) => ({ from, payload }))).toEqual([
      { from: 'quant_strategist', payload: { pipeline: 'daily_quant_pipeline', message: 'pipeline complete', asks: 'approve' } },
      { from: 'quant_strategist', payload: { pipeline: 'daily_quant_pipeline', message: 'pipeline complete and approved' } },
    ]);
  });

  it('asks the chairman on #approvals exactly once', async () => {
    await play('daily-quant');
    const sent = (await run.journal()).filter((entry) => entry.kind === 'notification');
    expect(sent).toMatchObject([{ channel: '#approvals', delivered: true }]);
  });

  it('takes a block over the CEO to the chairman, who stops the run', async () => {
    const { status, step } = await play('daily-quant-block');
    expect(status.state).toBe('rejected');
    expect((await envelopes('escalate')).map(({ from, to }) => `${from}→${to}`)).toEqual(['quant_strategist→ceo_coo', 'ceo_coo→human']);
    const [opened] = (await run.journal()).filter((entry) => entry.kind === 'gate' && entry.event === 'opened');
    expect(opened).toMatchObject({ step: 'review', question: expect.stringContaining('\nceo_coo advises to end the run: ') });
    expect(run.notices.filter((text) => text.includes('ceo_coo advises to end the run'))).toHaveLength(1);
    expect(step('data_analysis').state).toBe('pending');
  });

  it('goes on after a block that the chairman lets pass', async () => {
    const { status, step } = await play('daily-quant-block-passed');
    expect(status.state).toBe('completed');
    expect(step('review').verdict).toMatchObject({ verdict: 'pass', said: 'block', decidedBy: 'chairman' });
    expect(step('data_analysis').state).toBe('done');
  });

  it('ends as rejected when the chairman rejects the thesis', async () => {
    const { status, step } = await play('daily-quant-rejected');
    expect(status.state).toBe('rejected');
    expect(step('approve').decision).toMatchObject({ choice: 'reject', by: 'chairman' });
    await expect(run.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('revises at most three times, then asks a person', async () => {
    const { status, step } = await play('daily-quant-revisions-used-up');
    expect(step('converge')).toMatchObject({ round: 4, superseded: [{ round: 1 }, { round: 2 }, { round: 3 }] });
    expect(step('review').verdict).toMatchObject({ verdict: 'pass', said: 'revise' });
    expect(status.state).toBe('completed');
  });

  it('runs converge again when the reviewer sends the bullish researcher back', async () => {
    const { status } = await play('daily-quant-revise-bull');
    expect(Object.fromEntries(status.steps.map(({ id, round }) => [id, round]))).toMatchObject({
      structure: 1,
      bull: 2,
      bear: 1,
      converge: 2,
      review: 2,
    });
    expect(status.state).toBe('completed');
  });

  it('repairs, then respawns, a report with missing fields', async () => {
    const { status, step } = await play('daily-quant-missing-fields');
    expect(step('bull')).toMatchObject({ state: 'done', try: 2 });
    const asked = await envelopes('request_clarification');
    const lacks = [['invalidation', 'key_levels[].evidence'], ['invalidation']];
    // The second report has a text under `invalidation`, and its agent reports the field as missing.
    expect(asked).toMatchObject(
      lacks.map((missing_fields) => ({
        to: 'bullish_researcher',
        payload: { missing_fields, previous_report: { $ref: expect.any(String) } },
      })),
    );
    expect(status.state).toBe('completed');
  });

  it('respawns a researcher that timed out', async () => {
    const { status, step } = await play('daily-quant-timeout');
    expect(step('intel')).toMatchObject({ state: 'done', try: 2 });
    expect(status.state).toBe('completed');
  });

  it('retries a model API error once of its own accord', async () => {
    const { status, step } = await play('daily-quant-api-error');
    expect(step('structure')).toMatchObject({ state: 'done', try: 2 });
    expect(status.state).toBe('completed');
  });

  it('fails with the API’s error when the retry fails too, and informs #errors once', async () => {
    const { status, step } = await play('daily-quant-api-down');
    expect(status).toMatchObject({ state: 'failed', error: { code: 'model.api-error', step: 'structure' } });
    expect(step('structure')).toMatchObject({ state: 'failed', try: 2 });
    const sent = (await run.journal()).filter((entry) => entry.kind === 'notification');
    expect(sent).toMatchObject([{ channel: '#errors', delivered: true }]);
  });

  describe('guarded by the analyst', () => {
    it('asks the chairman when the analyst says proceed', async () => {
      const { status, step } = await play('daily-quant', 'daily_quant_guarded');
      expect(status.state).toBe('completed');
      expect(step('held_back').state).toBe('skipped');
      expect(step('approve').state).toBe('done');
    });

    it('asks nobody when the analyst says adjust, and informs #research', async () => {
      const { status, step } = await play('daily-quant-adjust', 'daily_quant_guarded');
      expect(status.state).toBe('completed');
      expect(step('approve').state).toBe('skipped');
      expect(step('held_back').state).toBe('done');
    });
  });
});
