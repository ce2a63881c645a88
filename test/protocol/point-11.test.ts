import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playToTheEnd, runScripted } from '../main-job/workshop';
import { runWhole } from '../support/whole-run';

const files = { 'schemas/Report.schema.json': '{"type":"object","required":["thesis"]}' };

describe('point 11: what the source leaves open', () => {
  it('a rejected approval stops the run, and its state is rejected', async () => {
    const run = runWhole('steps:\n  - {id: ok, type: hitl}\n  - {id: next, run: "true"}\n');
    await run.quiet();
    run.signal('reject', { by: 'chairman' });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ status: 'rejected' });
    expect(run.status().state).toBe('rejected');
    expect(run.calls.some(({ name }) => name === 'command')).toBe(false);
  });

  it('a silent person waits for ever if no timeout says otherwise', async () => {
    const run = runWhole('steps:\n  - {id: ok, type: hitl}\n');
    await run.quiet();
    expect(run.clock.pending).toBe(0);
    expect(run.status().state).toBe('waiting');
  });

  it('and until the timeout if one does', async () => {
    const run = runWhole('steps:\n  - {id: ok, type: hitl, timeout: 1h, on_timeout: reject}\n');
    await run.quiet(() => run.status().state !== 'waiting' && run.status().state !== 'running');
    await expect(run.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('the order for a bad reply is repair, respawn, on_invalid; respawns count against 3 retries a step', async () => {
    const run = runWhole('steps:\n  - {id: draft, agent: w, output: Report.json, on_invalid: continue}\n', {
      files,
      script: 'replies:\n  draft: [{json: {}}]\n',
    });
    await run.completes();
    expect(run.requests.map(({ address, ask }) => `${address.try} ${ask}`)).toEqual([
      ...['1 1', '1 2', '2 1', '2 2', '3 1', '3 2', '4 1', '4 2'],
    ]);
    expect(run.status().steps[0]?.state).toBe('failed');
  });

  it('respawns after a timeout count against the same 3', async () => {
    const run = runWhole('steps:\n  - {id: draft, agent: w, timeout: 5m, output: Report.json}\n', {
      files,
      script: 'replies:\n  draft: [{try: 1, hang: true}, {try: 2, json: {}}, {try: 3, hang: true}, {json: {}}]\n',
    });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'reply.invalid' });
    expect(new Set(run.requests.map(({ address }) => address.try))).toEqual(new Set([1, 2, 3, 4]));
  });

  it('a recommendation to adjust is data: the pipeline as printed does not read it, the guarded one does', async () => {
    const asked = async (pipeline: string) => {
      const run = await runScripted(pipeline, 'daily-quant-adjust');
      const status = await playToTheEnd(run);
      run.close();
      return status.steps.find(({ id }) => id === 'approve')?.state;
    };
    expect(await asked('daily_quant_pipeline')).toBe('done');
    expect(await asked('daily_quant_guarded')).toBe('skipped');
  });

  it('the pipeline as printed ships unchanged: it says nothing about a recommendation', () => {
    const text = readFileSync(join(__dirname, '../../pipelines/daily-quant-pipeline.yaml'), 'utf8');
    expect(text).not.toContain('recommendation');
  });
});
