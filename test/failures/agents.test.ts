import { FAILURES, type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { runWhole } from '../support/whole-run';

/** One test for each kind of failure of an agent, on the real activities. */
const files = { 'schemas/Report.schema.json': '{"type":"object","required":["thesis"]}' };
const pipeline = (more = '') => `steps:\n  - {id: draft, agent: w, output: Report.json${more}}\n`;
const GOOD = '{json: {thesis: up}}';
const fail = (code: FailureCode, more = '') => `{${more}fail: {code: ${code}, message: no}}`;
const errors = (run: ReturnType<typeof runWhole>) => run.notices.filter(({ channel }) => channel === '#errors');

describe('model rate limit, overload (429, 529)', () => {
  it('is retried when retry-after says so, within the same try, and counts as none', async () => {
    let asked = 0;
    const overloaded = {
      name: 'scripted',
      async *run() {
        asked += 1;
        if (asked <= 5) throw new ThermidorFailure('model.overloaded', '529', null, 7000);
        yield { role: 'assistant' as const, text: '{"thesis": "up"}' };
      },
    };
    const run = runWhole(pipeline(), { files, toolbox: { adapters: new Map([['scripted', overloaded]]) } });
    await run.quiet(() => asked > 5);
    await run.completes();
    const calls = run.calls.filter(({ name }) => name === 'agent');
    expect(new Set(calls.map(({ address }) => address))).toEqual(new Set(['draft#1~1']));
    expect(calls.map(({ atMs }) => atMs - (calls[0]?.atMs ?? 0))).toEqual([0, 7000, 14_000, 21_000, 28_000, 35_000]);
    expect(run.status().steps[0]).toMatchObject({ state: 'done', try: 1 });
    expect(errors(run)).toEqual([]);
  });
});

describe('model API error (5xx, network)', () => {
  it('is retried once by itself, and the agent reads why', async () => {
    const run = runWhole(pipeline(), { files, script: `replies:\n  draft: [${fail('model.api-error', 'try: 1, ')}, ${GOOD}]\n` });
    await run.quiet(() => run.requests.length > 1);
    await run.completes();
    expect(run.requests.map(({ address }) => address.try)).toEqual([1, 2]);
    expect(errors(run)).toEqual([]);
  });

  it('is then reported in #errors, and continues as on_error says', async () => {
    const run = runWhole(`${pipeline(', on_error: continue')}  - {id: next, run: "true"}\n`, {
      files,
      script: `replies:\n  draft: [${fail('model.api-error')}]\n`,
    });
    await run.quiet(() => errors(run).length > 0);
    await run.completes();
    expect(run.requests).toHaveLength(2);
    expect(errors(run)).toHaveLength(1);
  });
});

describe('refusal, auth, context length, bad request', () => {
  it.each(['model.refused', 'model.unauthorized', 'model.context-length', 'model.bad-request'] as const)(
    '%s is not retried',
    async (code) => {
      expect(FAILURES[code].retried).toBe('never');
      const run = runWhole(pipeline(), { files, script: `replies:\n  draft: [${fail(code)}]\n` });
      await run.quiet();
      await expect(run.result).rejects.toMatchObject({ code });
      expect(run.requests).toHaveLength(1);
      expect(errors(run)).toHaveLength(1);
    },
  );
});

describe('malformed or incomplete reply', () => {
  it('is asked for again once, naming what is wrong, then a respawn demands it, then on_invalid', async () => {
    const run = runWhole(`${pipeline(', on_invalid: continue')}  - {id: next, run: "true"}\n`, {
      files,
      script: 'replies:\n  draft: [{try: 1, text: no json}, {json: {}}]\n',
    });
    await run.completes();
    expect(run.requests.map(({ address, ask }) => `${address.try} ${ask}`).slice(0, 4)).toEqual(['1 1', '1 2', '2 1', '2 2']);
    expect(run.requests[1]?.prompt).toContain('not JSON');
    expect(run.requests[4]?.prompt).toContain('missing_fields: ["thesis"]');
    expect(run.requests).toHaveLength(8);
  });
});

describe('timeout of an agent', () => {
  it('is answered by a respawn with a note of it, within retries_per_step', async () => {
    const run = runWhole(`budget: {retries_per_step: 1}\n${pipeline(', timeout: 5m')}`, {
      files,
      script: 'replies:\n  draft: [{hang: true}]\n',
    });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'agent.timeout' });
    expect(run.requests.map(({ address }) => address.try)).toEqual([1, 2]);
    expect(run.requests[1]?.prompt).toContain('ran out of time');
  });
});

describe('stuck agent (no output for N minutes)', () => {
  it('is ended, and then as a timeout', async () => {
    const run = runWhole(pipeline(), {
      files,
      toolbox: { stuckMs: 120_000 },
      script: `replies:\n  draft: [{try: 1, hang: true}, ${GOOD}]\n`,
    });
    await run.completes();
    expect(run.requests.map(({ address }) => address.try)).toEqual([1, 2]);
    const failed = (await run.journal()).find((entry) => entry.kind === 'step' && entry.error);
    expect(failed).toMatchObject({ step: 'draft', error: { code: 'agent.stuck' } });
  });
});
