import { bench, benchOne, load, missed } from './bench';

test('a pipeline whose plan enters a run packed is tested as any other', async () => {
  const long = 's'.repeat(60);
  const steps = Array.from({ length: 700 }, (_, i) => `  - {id: ${long}${i}, run: x, when: list.${long} == 0}`);
  const report = await benchOne(
    `steps:\n  - {id: list, run: ls}\n${steps.join('\n')}`,
    'commands:\n  list: {json: {}}\nexpect:\n  status: completed',
  );
  expect(report.failing).toEqual([]);
});

describe('stand-ins', () => {
  it('are taken by round, try, request and iteration', async () => {
    const report = await benchOne(
      `steps:
  - {id: list, run: ls}
  - id: each
    for_each: $list.json
    steps:
      - {id: ask, agent: w, prompt: "About \${item}.", output: A.json, schema: {type: object, required: [n]}}
      - {id: put, run: "put \${ask.n}", retry: {max: 2, delay: 1s}}`,
      `replies:
  ask:
    - {iteration: 1, ask: 1, json: {}}
    - {iteration: 1, json: {n: repaired}}
    - {json: {n: plain}}
commands:
  list: {json: [a, b, c]}
  put: [{iteration: 2, try: 1, exit_code: 1}, {stdout: fine}]
expect:
  status: completed
  calls: {ask: 4, put: 4}
  steps:
    "each[0]/ask": {output: {n: plain}}
    "each[1]/ask": {output: {n: repaired}, calls: 2}
    "each[2]/put": {try: 2, command: put "plain"}
    each: {output_has: [{index: 0, item: a}, {index: 1}, {index: 2, item: c, put: fine}]}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('of commands with tests print what these have come to', async () => {
    const report = await benchOne(
      `steps:
  - id: fix
    repeat:
      until: tests.pass_rate >= 0.95
      max: 3
      steps:
        - {id: code, run: "code \${last.tests.failures[0].name}"}
        - {id: tests, run: npm test, tests: {format: json, file: results.json}}`,
      `commands:
  code: {stdout: fine}
  tests: [{iteration: 1, exit_code: 1, json: {passed: 3, failed: 1, failures: [adds]}}, {json: {passed: 4, failed: 0}}]
expect:
  status: completed
  calls: {code: 2, tests: 2}
  steps:
    fix: {output_has: {round: 2, exhausted: false, tests: {passed: 4, pass_rate: 1}}}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('of a nested loop are named from the outside in', async () => {
    const report = await benchOne(
      `steps:
  - {id: list, run: ls}
  - id: outer
    for_each: $list.json
    steps:
      - id: inner
        for_each: $list.json
        item_var: one
        index_var: at
        steps: [{id: do, run: "do \${one}"}]`,
      `commands: {list: {json: [a, b]}, do: [{iteration: [1, 0], stdout: here}, {iteration: 1, stdout: second}, {stdout: first}]}
expect:
  status: completed
  steps:
    "outer[0]/inner[0]/do": {output: first}
    "outer[0]/inner[1]/do": {output: second}
    "outer[1]/inner[0]/do": {output: here}
    "outer[1]/inner[1]/do": {output: second}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('take their time on the virtual clock, and run into timeouts there', async () => {
    const reports = await bench(
      `steps:
  - {id: a, agent: w, timeout: 10m, on_error: continue}
  - {id: c, run: sleep, timeout: 1h, on_error: continue}`,
      `tests:
  - name: in time
    replies: {a: [{after: 9m, text: x}]}
    commands: {c: {after: 59m, stdout: x}}
    expect: {status: completed, elapsed: 68m, steps: {a: done, c: done}}
  - name: late
    replies: {a: [{after: 11m, text: x}]}
    commands: {c: {after: 61m, stdout: x}}
    expect: {steps: {a: {error: agent.timeout}, c: {error: command.timeout}}, calls: {a: 4, c: 1}, elapsed: 100m}
  - name: never
    replies: {a: [{try: 1, hang: true}, {text: x}]}
    commands: {c: {hang: true}}
    expect: {steps: {a: {state: done, try: 2}, c: {state: failed, error: command.timeout}}, elapsed: 70m}
`,
    );
    expect(reports.flatMap(({ failing }) => failing)).toEqual([]);
  });

  it('that are missing fail the test, whatever the pipeline does about it', async () => {
    const [silent, meant] = await bench(
      'steps: [{id: a, run: x, on_error: continue}, {id: b, agent: w, on_error: continue}]',
      `tests:
  - {name: silent, expect: {status: completed}}
  - {name: meant, expect: {status: completed, errors: {a: script.no-reply, b: script.no-reply}}}
`,
    );
    expect(silent && missed(silent)).toEqual(['stand-ins', 'stand-ins']);
    expect(meant?.failing).toEqual([]);
  });

  it('for any command stand in if a step has none of its own', async () => {
    const report = await benchOne(
      'steps: [{id: a, run: x}, {id: b, run: y}]',
      'commands: {"*": {stdout: any}, b: {stdout: own}}\nexpect: {steps: {a: {output: any}, b: {output: own}}}',
    );
    expect(report.failing).toEqual([]);
  });

  it('let a command run in earnest if the test says so, and only there', async () => {
    const report = await benchOne(
      `args: {who: {default: "$(false) 'you'"}}\nsteps: [{id: a, run: "printf %s \${args.who}"}, {id: b, argv: ["/no/such/program"]}]`,
      'commands: {a: {execute: true}, b: {stdout: x}}\nexpect: {status: completed, steps: {a: {output: "$(false) \'you\'"}}}',
    );
    expect(report.failing).toEqual([]);
  });

  describe('for the programs that an agent runs', () => {
    const steps = 'agents: {w: {role: Mends., tools: [run]}}\nsteps: [{id: mend, agent: w, timeout: 20m}]';
    const calls = (...programs: string[]): string =>
      `replies: {mend: [{calls: [${programs.map((argv) => `{tool: run, args: {argv: [${argv}]}}`).join(', ')}], text: mended}]}`;

    it('are taken in their order, and are no requests to the agent', async () => {
      const report = await benchOne(
        steps,
        `${calls('npm, test', 'npm, run, build')}
commands: {mend: [{call: 1, exit_code: 1, stderr: two fail, after: 90s}, {stdout: built}]}
expect: {status: completed, calls: {mend: 1}, elapsed: 90s, steps: {mend: {calls: 1, command: [npm test, npm run build]}}}`,
      );
      expect(report.failing).toEqual([]);
    });

    it('end at the timeout of the call, on the virtual clock', async () => {
      const report = await benchOne(
        steps,
        `${calls('sleep, forever')}\ncommands: {mend: {hang: true}}\nexpect: {status: completed, elapsed: 2m, steps: {mend: done}}`,
      );
      expect(report.failing).toEqual([]);
    });

    it('that are missing fail the test, and nothing runs', async () => {
      const [silent, meant] = await bench(
        steps,
        `${calls('/no/such/program')}
tests:
  - {name: silent, expect: {status: failed}}
  - {name: meant, expect: {errors: {mend: script.no-reply}}}
`,
      );
      expect(silent && missed(silent)).toEqual(['stand-ins']);
      expect(meant?.failing).toEqual([]);
    });

    it('run in earnest if the test says so', async () => {
      const report = await benchOne(
        steps,
        `${calls('"false"')}\ncommands: {mend: {execute: true}}\nexpect: {status: completed, steps: {mend: {command: "false"}}}`,
      );
      expect(report.failing).toEqual([]);
    });

    it('are under the step whose agents may run them, and under no other', () => {
      const test = 'tests: [{name: t, commands: {mend: {stdout: x}}, expect: {status: completed}}]';
      expect(() => load(steps, test)).not.toThrow();
      expect(() => load(steps.replace('[run]', '[grep]'), test)).toThrow('test.unknown-step');
    });
  });

  it('answer each command of a pipe in turn', async () => {
    const report = await benchOne(
      'steps: []',
      `commands: {p: [{call: 1, stdout: "a\\nb"}, {call: 2, stdout: c}, {stdout: end}]}
people: [{gate: p, after: 1h, approve: {by: me}}]
expect: {status: completed, calls: {p: 3}, elapsed: 1h, gates: [p]}`,
      {
        'p.yaml': '',
        'p.lobster': 'steps:\n  - {id: p, pipeline: "exec one | exec --stdin raw two | approve --prompt ok | exec three"}\n',
      },
      'p.lobster',
    );
    expect(report.failing).toEqual([]);
  });

  it('are the real activities’ otherwise: schemas, repairs and templates', async () => {
    const report = await benchOne(
      `steps:
  - {id: a, agent: w, prompt: "Give n.", output: A.json, schema: {type: object, required: [n], properties: {n: {type: number}}}}
  - {id: b, run: "use \${a.n}"}`,
      `replies: {a: [{ask: 1, text: "n is 3"}, {json: {n: 3}}]}
commands: {b: {stdout: ok}}
expect: {status: completed, calls: {a: 2}, steps: {b: {command: use "3"}}}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('wait and try again for what is nobody’s fault, as Temporal does', async () => {
    const report = await benchOne(
      'steps: [{id: a, agent: w}]',
      'replies: {a: [{fail: {code: model.overloaded, retry_after: 20m}}]}\nuntil: 1h\nexpect: {status: running, calls: {a: 3}, errors: {a: []}, elapsed: 1h}',
    );
    expect(report.failing).toEqual([]);
  });

  it('for a child pipeline are its own', async () => {
    const report = await benchOne(
      'steps: [{id: kid, pipeline: kid.yaml, with: {who: Ann}}]',
      `children: {child: {replies: {greet: [{text: Hello}]}}}
people: [{gate: kid/sure, after: 2h, approve: {by: me}}]
expect: {status: completed, output: Hello, gates: [kid/sure], elapsed: 2h, steps: {kid/greet: {prompt: Greet Ann}, kid: done}}`,
      {
        'kid.yaml': `name: child
args: {who: {}}
steps: [{id: greet, agent: w, prompt: "Greet \${args.who}"}, {id: sure, type: approval, prompt: "?"}]
`,
      },
    );
    expect(report.failing).toEqual([]);
  });

  it('never see a secret', async () => {
    const report = await benchOne(
      `args: {key: {secret: true}}\nsteps: [{id: a, run: "call \${args.key}"}]`,
      'args: {key: "secret://env/NO_SUCH_VARIABLE"}\ncommands: {a: {stdout: ok}}\nexpect: {status: completed}',
    );
    expect(report.failing).toEqual([]);
  });
});

test('a Lobster file takes args that it does not declare, in its tests too', async () => {
  const report = await benchOne(
    '',
    'args: { title: hello }\ncommands: { a: { stdout: done } }\nexpect: { status: completed }\n',
    { 'p.lobster': 'name: p\nsteps:\n  - {id: a, command: echo it}\n' },
    'p.lobster',
  );
  expect(missed(report)).toEqual([]);
});
