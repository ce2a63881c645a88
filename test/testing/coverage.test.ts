import { benchWithCoverage } from './bench';

const missedOf = async (pipeline: string, tests: string) => {
  const { reports, coverage } = await benchWithCoverage(pipeline, tests);
  expect(reports.flatMap(({ failing }) => failing)).toEqual([]);
  return { missed: coverage.missed.map(({ step, what }) => `${step}: ${what}`), coverage };
};

describe('coverage', () => {
  it('counts steps that ran, and not those that were skipped', async () => {
    const { missed, coverage } = await missedOf(
      'args: {n: {default: 1}}\nsteps: [{id: a, run: x}, {id: b, run: y, when: args.n == 2}]',
      'commands: {"*": {stdout: x}}\ntests: [{name: t, expect: {status: completed}}]',
    );
    expect(missed).toEqual(['b: runs', 'b: when args.n == 2 is true']);
    expect(coverage).toMatchObject({ steps: { reached: 1, total: 2, percent: 50 }, branches: { reached: 1, total: 2, percent: 50 } });
  });

  it('adds up what several tests reach', async () => {
    const { missed, coverage } = await missedOf(
      'args: {n: {default: 1}}\nsteps: [{id: a, run: x}, {id: b, run: y, when: args.n == 2}]',
      `commands: {"*": {stdout: x}}
tests:
  - {name: one, expect: {status: completed}}
  - {name: two, args: {n: 2}, expect: {status: completed}}`,
    );
    expect(missed).toEqual([]);
    expect(coverage).toMatchObject({ steps: { percent: 100 }, branches: { percent: 100 } });
  });

  it('asks for no outcome that a condition cannot have', async () => {
    const { missed } = await missedOf(
      'steps: [{id: a, run: x}, {id: b, run: y, depends_on: [a], when: always()}]',
      'commands: {"*": {stdout: x}}\ntests: [{name: t, expect: {status: completed}}]',
    );
    expect(missed).toEqual([]);
  });

  it('has what follows the last round of a repeat, whose stand-ins are chosen by the number of the round', async () => {
    const pipeline = `steps:
  - {id: begin, run: b}
  - {id: fix, repeat: {until: do.n == 9, max: 2, on_exhausted: continue, steps: [{id: do, run: d}]}}`;
    const tests = (n: number) => `commands: {begin: {stdout: x}, do: [{iteration: 1, json: {n: 1}}, {iteration: 2, json: {n: ${n}}}]}
tests: [{name: t, expect: {status: completed, calls: {do: 2}, output_has: {round: 2, do: {n: ${n}}}}}]`;
    expect((await missedOf(pipeline, tests(1))).missed).toEqual([]);
    expect((await missedOf(pipeline, tests(9))).missed).toEqual(['fix: on_exhausted: continue']);
  });

  it('has every branch of a parallel step, and the bodies of loops', async () => {
    const { missed } = await missedOf(
      `steps:
  - {id: list, run: ls}
  - id: fan
    parallel: {wait: any, branches: [{id: left, run: l}, {id: right, steps: [{id: r1, wait: 1m}, {id: r2, run: r}]}]}
  - id: each
    for_each: $list.json
    steps: [{id: do, run: d}]`,
      'commands: {list: {json: []}, "*": {stdout: x}}\ntests: [{name: t, expect: {status: completed}}]',
    );
    expect(missed).toEqual(['r2: runs', 'each: an iteration', 'do: runs']);
  });

  const REVIEW = `
steps:
  - {id: d, agent: w}
  - {id: r, type: review, agent: r, of: d, output: R.json, schema: {type: object}, on_revise: "retry(d, max=1)", on_block: ["notify(\\"#errors\\")", escalate(w)]}
`;

  it.each([
    ['pass', ['r: on_revise: retry d, at most 1', 'r: on_block: notify #errors', 'r: on_block: escalate to w, who advises a person'], ''],
    ['block', ['r: on_revise: retry d, at most 1'], ''],
    ['revise', [], ''],
  ])('knows which way a verdict of %s goes', async (verdict, expected) => {
    const { missed } = await missedOf(
      REVIEW,
      `replies: {d: [{text: x}], r: [{json: {verdict: ${verdict}}}]}
people: [{gate: r, approve: {by: me}}]
tests: [{name: t, expect: {status: completed}}]`,
    );
    expect(missed).toEqual(expected);
  });

  it('sees a review at work that is in a branch', async () => {
    const { missed } = await missedOf(
      'steps: [{id: p, branches: [{id: b, steps: [{id: d, agent: w}, {id: r, type: review, agent: r, of: d, on_revise: "retry(d, max=1)"}]}]}]',
      `replies: {d: [{text: x}], r: [{round: 1, json: {verdict: revise}}, {json: {verdict: pass}}]}
tests: [{name: t, expect: {status: completed, rounds: {d: 2}}}]`,
    );
    expect(missed).toEqual([]);
  });

  it.each([
    ['continue', 'completed', ''],
    ['stop', 'failed', ''],
    ['skip_rest', 'completed', ''],
    ['hold', 'held', ''],
    ['escalate(human)', 'completed', 'people: [{gate: a, approve: {by: me}}]'],
    ['"retry(b, max=1)"', 'completed', ''],
  ])('sees on_error: %s at work', async (action, status, people) => {
    const { missed } = await missedOf(
      `steps: [{id: b, run: y}, {id: a, run: x, on_error: ${action}}]`,
      `commands: {a: [{round: 2, stdout: fine}, {exit_code: 1}], b: {stdout: x}}
${people}
tests: [{name: t, expect: {status: ${status}}}]`,
    );
    expect(missed).toEqual([]);
  });

  it('tells on_invalid from on_error', async () => {
    const pipeline = 'steps: [{id: a, agent: w, output: A.json, schema: {type: object}, on_invalid: continue, on_error: stop}]';
    const { missed } = await missedOf(pipeline, 'replies: {a: [{text: rubbish}]}\ntests: [{name: t, expect: {status: completed}}]');
    expect(missed).toEqual(['a: on_error: stop']);
  });

  it.each([
    [
      'a blocked track',
      'dual_api: [{fail: {code: agent.turns-used-up, message: no}}], dual_core: [{text: x}]',
      ['dual: on_misaligned: continue', 'dual: on_error: stop', 'dual_meet: runs'],
    ],
    [
      'tracks that are not aligned',
      'dual_api: [{text: x}], dual_core: [{text: x}], dual_meet: [{json: {status: MISALIGNED}}]',
      ['dual: on_blocked: continue', 'dual: on_error: stop'],
    ],
  ])('knows what follows %s', async (_, replies, expected) => {
    const { missed } = await missedOf(
      `steps:
  - id: dual
    type: tracks
    a: {agent: w, phases: [{id: api, prompt: x}]}
    b: {agent: r, phases: [{id: core, prompt: x}]}
    sync: [{id: meet, after: [api, core], rounds: 1, check: {agent: w}}]
    on_blocked: continue
    on_misaligned: continue
    on_error: stop`,
      `replies: {${replies}}\ntests: [{name: t, expect: {status: completed}}]`,
    );
    expect(missed).toEqual(expected);
  });

  it.each([
    ['people: [{gate: ok, reject: {by: me}}]', 'completed', ['ok: on_timeout: approve']],
    ['people: []', 'completed', ['ok: on_reject: continue']],
  ])('knows rejections and timeouts apart: %s', async (people, status, expected) => {
    const { missed } = await missedOf(
      'steps: [{id: ok, type: approval, prompt: "?", timeout: 1h, on_timeout: approve, on_reject: continue}]',
      `${people}\ntests: [{name: t, expect: {status: ${status}}}]`,
    );
    expect(missed).toEqual(expected);
  });

  it('leaves out an action that a corrected try never came to', async () => {
    const { missed } = await missedOf(
      'steps: [{id: a, run: x, retry: {max: 2}, on_error: continue}]',
      'commands: {a: [{try: 1, exit_code: 1}, {stdout: fine}]}\ntests: [{name: t, expect: {status: completed}}]',
    );
    expect(missed).toEqual(['a: on_error: continue']);
  });
});
