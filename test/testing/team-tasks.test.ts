import { bench, benchOne, missed } from './bench';

/** Steps that give a task to a team: a test has no team, and says what comes of the task. */

const LOOK = `steps:
  - {id: name, run: ls}
  - {id: look, team: maintainers, subject: "Look into \${name}", timeout: 8h, on_error: continue}
  - {id: say, run: "say \${look.result} by \${look.owner}", when: "look.status == 'completed'"}`;

const played = async (tasks: string, expect: string) =>
  (await benchOne(LOOK, `commands: {name: {stdout: docs}, say: {stdout: said}}\ntasks: ${tasks}\nexpect: ${expect}`)).failing;

it('are done at once if the test says nothing about them', async () => {
  const expected =
    '{status: completed, elapsed: 0s, steps: {look: {output: {id: 1, status: completed, owner: null, result: null, attempts: 1}}}}';
  expect(await played('{}', expected)).toEqual([]);
  expect(await played('{look: [{subject: other, refused: no}, {try: 2, refused: no}]}', expected)).toEqual([]);
});

it('have the result that the test gives, after its time', async () => {
  const result = `${'long '.repeat(100)}end`;
  const expected = `{status: completed, elapsed: 2h, steps: {look: {output: {id: 1, status: completed, owner: tess, result: "${result}", attempts: 2}}, say: {command: "end"}}}`;
  expect(await played(`{look: {subject: into docs, after: 2h, result: "${result}", owner: tess, attempts: 2}}`, expected)).toEqual([]);
});

it.each([
  ['refused: the name is taken', 'task.refused'],
  ['dropped: it is too much', 'task.dropped'],
  ['left: true', 'task.left'],
  ['no_team: true', 'task.no-team'],
])('fail as the test says: %s', async (outcome, code) => {
  const expected = `{status: completed, elapsed: 0s, steps: {look: {state: failed, error: ${code}}, say: skipped}}`;
  expect(await played(`{look: {${outcome}}}`, expected)).toEqual([]);
});

it.each(['hang: true', 'after: 9h, result: too late'])('run into the timeout of their step: %s', async (outcome) => {
  const expected = '{status: completed, elapsed: 8h, steps: {look: {state: failed, error: step.timeout}}}';
  expect(await played(`{look: {${outcome}}}`, expected)).toEqual([]);
});

it('are checked as a real team’s are: a subject that is none is refused', async () => {
  const expected = '{steps: {look: {state: failed, error: task.refused}}}';
  const report = await benchOne(LOOK, `commands: {name: {stdout: "${'x'.repeat(300)}"}}\nexpect: ${expected}`);
  expect(report.failing).toEqual([]);
});

it('differ by try and by iteration, and their team numbers them', async () => {
  const reports = await bench(
    `steps:
  - id: each
    for_each: \${args.list}
    steps:
      - {id: look, team: maintainers, subject: "Look into \${item}", retry: {max: 2, delay: 1m}, on_error: continue}
args: {list: {type: array, default: [a, b, c]}}`,
    `tests:
  - name: t
    tasks:
      look:
        - {iteration: 1, try: 1, left: true}
        - {iteration: 1, result: in the second try}
        - {subject: into c, dropped: no}
        - {result: fine}
    expect:
      steps:
        "each[0]/look": {output_has: {id: 1, result: fine}}
        "each[1]/look": {output_has: {id: 3, result: in the second try}, try: 2}
        "each[2]/look": {error: task.dropped}
`,
  );
  expect(reports.flatMap(missed)).toEqual([]);
});

it('of a child pipeline have outcomes of their own, and no waiting ends with the number', async () => {
  const child = `name: child
steps:
  - {id: look, team: maintainers, subject: Look., wait: false}
  - {id: wait, team: maintainers, subject: Wait.}
output: wait`;
  const report = await benchOne(
    'steps:\n  - {id: part, pipeline: child.yaml}\n  - {id: other, team: maintainers, subject: Other.}',
    `children: {child: {tasks: {look: {hang: true}, wait: {after: 5m, result: waited}}}}
tasks: {other: {result: mine}}
expect:
  status: completed
  elapsed: 5m
  steps: {part: {output_has: {result: waited}}, part/look: {output: {id: 1}}, other: {output_has: {id: 3, result: mine}}}`,
    { 'child.yaml': child },
  );
  expect(report.failing).toEqual([]);
});

it('wait for tasks that an earlier step has given', async () => {
  const report = await benchOne(
    `steps:
  - {id: first, team: maintainers, subject: One., wait: false}
  - {id: then, team: maintainers, subject: Two., blocked_by: ["\${first.id}"]}
  - {id: bad, team: maintainers, subject: Three., blocked_by: "\${then.result}"}`,
    'tasks: {then: {result: ""}}\nexpect: {steps: {then: done, bad: {error: task.refused}}}',
  );
  expect(report.failing).toEqual([]);
});
