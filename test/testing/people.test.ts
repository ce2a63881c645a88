import { bench, benchOne } from './bench';

const GATE = 'steps: [{id: ok, type: approval, prompt: "Well?", approvers: [boss]}]';

describe('people', () => {
  it('wait for a gate, and then as long as the test says', async () => {
    const report = await benchOne(GATE, 'people: [{gate: ok, after: 26h, approve: {by: boss}}]\nexpect: {status: completed, elapsed: 26h}');
    expect(report.failing).toEqual([]);
  });

  it('act at a moment of their own, before whatever else happens at that moment', async () => {
    const report = await benchOne(
      'steps: [{id: ok, type: approval, prompt: "Well?", timeout: 2h, on_timeout: reject}]',
      'people: [{at: 2h, approve: {by: boss}}]\nexpect: {status: completed, elapsed: 2h}',
    );
    expect(report.failing).toEqual([]);
  });

  it('let a gate run out of time by doing nothing', async () => {
    const report = await benchOne(
      'steps: [{id: ok, type: approval, prompt: "Well?", timeout: 3d, on_timeout: reject}]',
      'expect: {status: rejected, elapsed: 3d, journal: [{kind: decision, decision: {via: time-out, choice: reject}}]}',
    );
    expect(report.failing).toEqual([]);
  });

  it('are refused like anybody else, and the failing test says so', async () => {
    const report = await benchOne(GATE, 'people: [{gate: ok, approve: {by: intern}}]\nexpect: {status: completed}');
    expect(report).toMatchObject({
      ok: false,
      status: 'waiting',
      notes: [expect.stringContaining('ok'), expect.stringContaining('refused')],
    });
  });

  it('prove who they are if the test says so, and nowhere else', async () => {
    const gate = 'steps: [{id: ok, type: approval, prompt: "Well?", approvers: [ann, bob], quorum: 2, identity: proven}]';
    const report = await benchOne(
      gate,
      `people:
  - {gate: ok, approve: {by: ann}}
  - {gate: ok, after: 1m, approve: {by: ann, proven: true}}
  - {gate: ok, after: 2m, approve: {by: ann, proven: true}}
  - {gate: ok, after: 3m, approve: {by: eve, proven: true}}
  - {gate: ok, after: 4m, approve: {by: bob, proven: true}}
expect:
  status: completed
  elapsed: 4m
  journal:
    - {kind: signal, outcome: refused, by: ann}
    - {kind: decision, decision: {by: ann, identity: proven}}
    - {kind: signal, outcome: duplicate, by: ann}
    - {kind: signal, outcome: refused, by: eve}
    - {kind: decision, decision: {by: bob, identity: proven, channel: console}}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('put tasks on a board, write to its members, and drain it', async () => {
    const team = `agents: {w: {role: Works.}}
steps:
  - {id: team, type: board, idle_timeout: 1h, members: [{name: ann, agent: w}, {name: bob, agent: w}], tasks: [{subject: One}]}`;
    const report = await benchOne(
      team,
      `people:
  - {at: 1m, task: {subject: Two, name: two, by: fran, blocked_by: [1]}}
  - {at: 2m, task: {subject: Three, by: ann}}
  - {at: 3m, message: {to: bob, content: hello, from: fran}}
  - {at: 4m, spawn: {name: carol, agent: w, by: fran}}
  - {at: 5m, drain: {by: fran, reason: release}}
replies:
  team_w:
    - {prompt: ["Task #1:"], calls: [{tool: complete_task, args: {task_id: 1}}], text: One.}
    - {prompt: ["Task #2:"], calls: [{tool: complete_task, args: {task_id: 2}}], text: Two.}
    - {text: Well.}
expect:
  status: completed
  journal:
    - {kind: board, event: created, task: 2, by: fran}
    - {kind: signal, name: task, outcome: refused, by: ann}
    - {kind: board, event: sent, from: fran, to: bob}
    - {kind: board, event: spawned, member: carol}
    - {kind: signal, name: drain, outcome: applied}`,
    );
    expect(report.failing).toEqual([]);
  });

  it.each([
    ['task: {subject: "", by: fran}', 'subject'],
    ['task: {subject: a, priority: high}', 'not a number'],
    ['task: {by: fran}', 'subject'],
    ['spawn: {name: a b, agent: w}', 'a name has 1 to 40 letters'],
    ['drain: {who: fran}', 'who'],
  ])('send a board nothing that it could not read: %s', async (action, problem) => {
    const test = `people: [{at: 1m, ${action}}]\nexpect: {status: completed}`;
    await expect(benchOne('steps: [{id: a, run: "true"}]', test)).rejects.toThrow(problem);
  });

  it('are noted if it never came to what they would have done', async () => {
    const report = await benchOne(
      'steps: [{id: no, run: "false"}, {id: ok, type: approval, prompt: "Well?"}]',
      'commands: {no: {exit_code: 1}}\npeople: [{gate: ok, approve: }]\nexpect: {status: completed}',
    );
    expect(report.notes).toEqual([expect.stringContaining('the gate ok')]);
  });

  it('do at a gate of a round what is said for that round', async () => {
    const review = 'steps:\n  - {id: d, agent: w}\n  - {id: r, type: review, agent: r, of: d, output: R.json, schema: {type: object}}\n';
    const report = await benchOne(
      review,
      `replies: {d: [{text: x}], r: [{json: {verdict: block}}]}
people:
  - {gate: "r#2", after: 5m, approve: {by: boss}}
  - {gate: r, after: 1m, revise: {by: boss, comment: again}}
expect: {status: completed, rounds: {r: 2}, elapsed: 6m, gates: [r, "r#2"]}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('answer an input gate, which checks what they say', async () => {
    const report = await benchOne(
      'steps: [{id: q, input: {prompt: "How many?", responseSchema: {type: object, required: [n]}}}]',
      `people:
  - {gate: q, after: 1m, respond: {response: {m: 1}}}
  - {gate: q, after: 2m, respond: {by: me, response: {n: 3}}}
expect: {status: completed, elapsed: 2m, output: {n: 3}, journal: [{kind: signal, name: respond, outcome: refused}]}`,
    );
    expect(report.failing).toEqual([]);
  });

  it.each([
    ['retry', '{held: a, after: 1h, retry: {by: op}}', 'completed', 'steps: {a: {state: done, try: 2}}'],
    ['skip', '{held: a, after: 1h, skip: {by: op}}', 'completed', 'steps: {a: skipped}'],
    ['abort', '{held: a, after: 1h, abort: {by: op, reason: enough}}', 'failed', 'error: {code: run.aborted, message: enough}'],
    ['cancel', '{held: a, after: 1h, cancel: }', 'cancelled', 'steps: {b: pending}'],
  ])('%s what is held', async (_, deed, status, more) => {
    const report = await benchOne(
      'steps: [{id: a, run: x, on_error: hold}, {id: b, run: y}]',
      `commands: {a: [{try: 1, exit_code: 1}, {stdout: fine}], b: {stdout: fine}}
people: [${deed}]
expect: {status: ${status}, elapsed: 1h, ${more}, errors: {a: command.failed}}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('leave a held run held', async () => {
    const report = await benchOne(
      'steps: [{id: a, run: x, on_error: hold}]',
      'commands: {a: {exit_code: 1}}\nexpect: {status: held, steps: {a: held}}',
    );
    expect(report.failing).toEqual([]);
  });

  it('send signals of the author’s own, pauses, and messages to agents', async () => {
    const reports = await bench(
      'steps: [{id: ping, wait: {signal: ping}}, {id: a, agent: w, prompt: "Work."}]',
      `replies: {a: [{text: done}]}
tests:
  - name: signal
    people:
      - {at: 1m, message: {to: w, content: "mind the gap"}}
      - {at: 2m, pause: {by: op}}
      - {at: 3m, signal: {name: ping, payload: {n: 1}}}
      - {at: 1h, unpause: {by: op}}
    expect: {status: completed, elapsed: 1h, steps: {ping: {output: {n: 1}}, a: {prompt: mind the gap}}}
  - name: no signal
    expect: {status: running, steps: {ping: waiting}}
`,
    );
    expect(reports.flatMap(({ failing }) => failing)).toEqual([]);
  });

  it('come from the script if the test says nothing about people, and do not if it says there are none', async () => {
    const reports = await bench(
      GATE,
      `script: s
tests:
  - {name: script, expect: {status: completed, elapsed: 1s}}
  - {name: nobody, people: [], expect: {status: waiting}}
  - {name: others, people: [{gate: ok, reject: {by: boss}}], expect: {status: rejected}}
`,
      { 'scripts/s.yaml': 'people: [{gate: ok, after: 1s, approve: {by: boss}}]\n' },
    );
    expect(reports.flatMap(({ failing }) => failing)).toEqual([]);
  });
});
