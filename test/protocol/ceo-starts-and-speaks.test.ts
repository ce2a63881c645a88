import { runWhole } from '../support/whole-run';

/** The CEO starts the strategist, hears that the pipeline is complete, and then asks the chairman; it speaks in #errors. */

const QUESTION = '  - {id: sign, type: approval, prompt: "Trade?", channel: "#approvals", depends_on: [draft]}\n';
const pipeline = `owner: lead\nchannels: { "#approvals": { mention: "@chairman" } }\nargs: { market: { type: string, default: BTC/USDT } }\nsteps:\n  - {id: draft, agent: w}\n`;
const script = 'replies:\n  draft: [{text: done}]\n';

const said = async (run: ReturnType<typeof runWhole>) => (await run.envelopes()).map(({ from, to, intent }) => `${intent} ${from}→${to}`);

describe('the CEO starts and speaks', () => {
  it('a run begins with the CEO’s assign_task to the owner, and ends with the owner’s deliver_report to the CEO', async () => {
    const run = runWhole(pipeline, { script, args: { market: 'ETH/USDT' } });
    await run.completes();
    const envelopes = await run.envelopes();
    expect(envelopes[0]).toMatchObject({
      ...{ from: 'boss', to: 'lead', intent: 'assign_task', ref_task: 'p-test', expect_response: true },
      payload: { pipeline: 'p', args: { market: 'ETH/USDT' }, started_at: expect.any(String) },
    });
    expect(envelopes.at(-1)).toMatchObject({
      ...{ from: 'lead', to: 'boss', intent: 'deliver_report' },
      payload: { pipeline: 'p', message: 'pipeline complete' },
    });
  });

  it('args that are too large for an envelope are named in it', async () => {
    const run = runWhole(pipeline, { script, args: { market: 'x'.repeat(20_000) } });
    await run.quiet();
    expect((await run.envelopes())[0]?.payload).toMatchObject({ args: {}, args_left_out: ['market'] });
  });

  it('an owner who reports to nobody is given no task', async () => {
    const run = runWhole(pipeline, { script, files: { 'agents/lead.yaml': 'role: Leads.\n' } });
    await run.quiet();
    expect(await said(run)).toEqual(['assign_task lead→w', 'deliver_report w→lead', 'deliver_report lead→human']);
  });

  it('“pipeline complete” is announced to the CEO, and then the CEO asks the chairman in #approvals', async () => {
    const run = runWhole(pipeline + QUESTION, { script });
    await run.quiet();
    expect((await said(run)).slice(-2)).toEqual(['deliver_report lead→boss', 'notify boss→#approvals']);
    expect((await run.envelopes()).at(-2)?.payload).toEqual({ pipeline: 'p', message: 'pipeline complete', asks: 'sign' });
    expect(run.notices).toEqual([{ channel: '#approvals', text: expect.stringMatching(/^@chairman boss: Trade\?/) }]);
    run.signal('approve', { by: 'chairman' });
    await run.completes();
    expect((await run.envelopes()).at(-1)?.payload).toEqual({ pipeline: 'p', message: 'pipeline complete and approved' });
  });

  it('a question in the middle of the work announces no end of it', async () => {
    const run = runWhole(`${pipeline}${QUESTION}  - {id: pay, run: "true", depends_on: [sign]}\n`, { script });
    await run.quiet();
    expect((await said(run)).slice(-2)).toEqual(['deliver_report w→lead', 'notify boss→#approvals']);
    run.signal('approve', { by: 'chairman' });
    await run.completes();
    expect((await run.envelopes()).at(-1)?.payload).toEqual({ pipeline: 'p', message: 'pipeline complete' });
  });

  it('work that a no sends back is announced again when it is done again', async () => {
    const again = QUESTION.replace('depends_on', 'on_reject: "retry(draft, max=1)", depends_on');
    const run = runWhole(pipeline + again, { script });
    await run.quiet();
    run.signal('reject', { by: 'chairman' });
    await run.quiet();
    const announced = (await run.envelopes()).filter(({ to }) => to === 'boss').map(({ payload }) => payload);
    expect(announced).toEqual([
      { pipeline: 'p', message: 'pipeline complete', asks: 'sign' },
      { pipeline: 'p', message: 'pipeline complete', asks: 'sign#2' },
    ]);
  });

  it('a pipeline that fails is reported to the CEO, who informs #errors', async () => {
    const run = runWhole('owner: lead\nsteps:\n  - {id: a, run: "exit 3"}\n');
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(await said(run)).toEqual(['assign_task boss→lead', 'deliver_report lead→boss', 'notify boss→#errors']);
    expect(run.notices).toEqual([{ channel: '#errors', text: expect.stringMatching(/^boss: p p-test failed at a: command.failed/) }]);
  });

  it('a run that is cancelled ends with the owner’s report as well', async () => {
    const run = runWhole(pipeline + QUESTION, { script });
    await run.quiet();
    run.cancel();
    await run.quiet();
    await expect(run.result).rejects.toThrow();
    const reports = (await run.envelopes()).filter(({ from, to }) => from === 'lead' && to === 'boss');
    expect(reports.at(-1)?.payload).toEqual({ pipeline: 'p', message: 'pipeline cancelled' });
  });

  it('a message of a step of the pipeline is its owner’s', async () => {
    const run = runWhole('owner: lead\nsteps:\n  - {id: tell, notify: { channel: "#approvals", message: done }}\n');
    await run.completes();
    expect(await said(run)).toContain('notify lead→#approvals');
    expect(run.notices).toEqual([{ channel: '#approvals', text: 'done' }]);
  });
});
