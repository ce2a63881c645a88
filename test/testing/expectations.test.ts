import { bench, missed } from './bench';

const PIPELINE = `
owner: w
steps:
  - {id: draft, agent: w, prompt: "Write about tea."}
  - {id: build, run: "make tea"}
  - {id: flaky, run: "pour", retry: {max: 2, delay: 10s}}
  - {id: review, type: review, agent: r, of: draft, output: Review.json, schema: {type: object}, on_revise: "retry(draft, max=2)"}
  - {id: ok, type: approval, prompt: "Drink the tea?"}
output: build
`;

const COMMON = `
replies:
  draft: [{json: {title: Tea, words: 120}}]
  review:
    - {round: 1, json: {verdict: revise, findings: []}}
    - {json: {verdict: pass}}
commands:
  build: {json: {tea: green, cups: [1, 2]}, after: 5s}
  flaky: [{round: 1, try: 1, exit_code: 1, stderr: spilt}, {stdout: poured}]
people:
  - {gate: ok, after: 1h, approve: {by: me, comment: "Yes please"}}
`;

/** For each kind of expectation: one that is met, one that is not, and what the report names for the latter. */
const CASES: [met: string, notMet: string, what: string][] = [
  ['status: completed', 'status: waiting', 'status'],
  ['status: [failed, completed]', 'status: [failed, rejected]', 'status'],
  ['output: {tea: green, cups: [1, 2]}', 'output: {tea: green}', 'output'],
  ['output_has: {tea: green}', 'output_has: {tea: black}', 'output_has'],
  ['output_has: {cups: [1, 2]}', 'output_has: {cups: [1]}', 'output_has'],
  ['steps: {draft: done}', 'steps: {draft: skipped}', 'steps.draft.state'],
  ['steps: {draft: {round: 2}}', 'steps: {draft: {round: 1}}', 'steps.draft.round'],
  ['steps: {flaky: {try: 1}}', 'steps: {flaky: {try: 2}}', 'steps.flaky.try'],
  ['steps: {draft: {calls: 2}}', 'steps: {draft: {calls: 1}}', 'steps.draft.calls'],
  ['steps: {review: {verdict: pass}}', 'steps: {review: {verdict: block}}', 'steps.review.verdict'],
  ['steps: {ok: {decision: approve}}', 'steps: {ok: {decision: reject}}', 'steps.ok.decision'],
  ['steps: {ok: {decision: {by: me, comment: please}}}', 'steps: {ok: {decision: {by: you}}}', 'steps.ok.decision'],
  ['steps: {draft: {output: {title: Tea, words: 120}}}', 'steps: {draft: {output: {title: Tea}}}', 'steps.draft.output'],
  ['steps: {draft: {output_has: {title: Tea}}}', 'steps: {draft: {output_has: {title: Coffee}}}', 'steps.draft.output_has'],
  ['steps: {draft: {prompt: about tea}}', 'steps: {draft: {prompt: [about tea, about coffee]}}', 'steps.draft.prompt'],
  ['steps: {build: {command: make}}', 'steps: {build: {command: brew}}', 'steps.build.command'],
  ['order: [draft, [flaky, build], review, "draft#2", ok]', 'order: [review, draft]', 'order'],
  ['order: ["draft#2", "review#2"]', 'order: ["draft#3"]', 'order'],
  ['calls: {draft: 2, flaky: 3}', 'calls: {flaky: 2}', 'calls.flaky'],
  ['rounds: {draft: 2, review: 2}', 'rounds: {draft: 1}', 'rounds.draft'],
  ['errors: {flaky: command.failed, draft: []}', 'errors: {flaky: []}', 'errors.flaky'],
  [
    'journal: [{kind: decision, decision: {by: me}}, {kind: run, state: completed}]',
    'journal: [{kind: run, state: completed}, {kind: decision}]',
    'journal[1]',
  ],
  ['journal_lacks: [{kind: decision, decision: {choice: reject}}]', 'journal_lacks: [{kind: gate}]', 'journal_lacks[0]'],
  ['gates: [ok]', 'gates: []', 'gates'],
  ['gates: [{step: ok, question: Drink}]', 'gates: [{step: ok, question: Eat}]', 'gates.ok.question'],
  ['open: []', 'open: [ok]', 'open'],
  ['elapsed: {least: 1h, most: 2h}', 'elapsed: {most: 1h}', 'elapsed'],
];

describe('expectations', () => {
  it.each(CASES)('%s is met; %s is not', async (met, notMet, what) => {
    const [good, bad] = await bench(
      PIPELINE,
      `${COMMON}
tests:
  - {name: met, expect: {${met}}}
  - {name: not met, expect: {${notMet}}}
`,
    );
    expect(good).toMatchObject({ ok: true, failing: [] });
    expect(bad?.ok).toBe(false);
    expect(bad && missed(bad)).toEqual([what]);
  });

  it.each([
    ['error: command.failed', 'error: agent.timeout', 'error.code'],
    ['error: {step: build}', 'error: {step: draft}', 'error.step'],
    ['error: {message: exit code 3}', 'error: {message: exit code 4}', 'error.message'],
    ['steps: {build: {state: failed, error: command.failed}}', 'steps: {build: {error: command.timeout}}', 'steps.build.error'],
  ])('of a run that failed: %s is met; %s is not', async (met, notMet, what) => {
    const tests = `
commands: {build: {exit_code: 3}, "*": {stdout: x}}
tests:
  - {name: met, expect: {${met}}}
  - {name: not met, expect: {${notMet}}}
`;
    const [good, bad] = await bench('steps: [{id: draft, run: "true"}, {id: build, run: make}]', tests);
    expect(good).toMatchObject({ ok: true });
    expect(bad && missed(bad)).toEqual([what]);
  });

  it('tells why a run was rejected', async () => {
    const people = 'people: [{gate: ok, reject: {by: me, comment: too hot}}]';
    const [good, bad] = await bench(
      'steps: [{id: ok, type: approval, prompt: "Well?"}]',
      `${people}\ntests:\n  - {name: a, expect: {reason: too hot}}\n  - {name: b, expect: {reason: too cold}}\n`,
    );
    expect(good?.ok).toBe(true);
    expect(bad && missed(bad)).toEqual(['reason']);
  });

  it('takes a step that nothing happened to as pending', async () => {
    const [good] = await bench(
      'steps: [{id: ok, type: approval, prompt: "Well?"}, {id: after, run: "true"}]',
      'tests:\n  - {name: a, expect: {status: waiting, open: [ok], steps: {ok: waiting, after: pending}}}\n',
    );
    expect(good).toMatchObject({ ok: true, status: 'waiting' });
  });

  it('names the places where two values differ', async () => {
    const [bad] = await bench(PIPELINE, `${COMMON}\ntests:\n  - {name: a, expect: {output: {tea: black, cups: [1, 3, 4], sugar: 1}}}\n`);
    expect(bad?.failing[0]?.differences).toEqual([
      { path: 'tea', expected: 'black', got: 'green' },
      { path: 'cups[1]', expected: 3, got: 2 },
      { path: 'cups[2]', expected: 4 },
      { path: 'sugar', expected: 1 },
    ]);
  });
});
