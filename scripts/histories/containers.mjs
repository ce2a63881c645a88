// Cases of steps with others within: branches, loops, children; and of people's answers in them.
const FAN_OUT = `name: fan_out
steps:
  - id: plan
    run: echo '{"files":["a","b","c","d","e"],"go":true}'
    output: Plan.json
    schema: {type: object, properties: {files: {type: array}, go: {type: boolean}}}
  - id: both
    type: parallel
    branches:
      - id: left
        run: echo left
      - id: right
        steps:
          - id: sign
            type: approval
            when: plan.go
          - id: last_right
            run: echo right
  - id: loop
    for_each: $plan.json.files
    max_concurrent: 2
    steps:
      - id: work
        run: echo "work \${item}"
      - id: odd
        when: index != 2
        run: echo odd
  - id: race
    type: parallel
    wait: any
    branches:
      - id: quick
        run: echo quick
      - id: slow
        run: sleep 30
finally:
  - id: clean
    run: echo clean
`;

const CALLED_OFF = `name: called_off
steps:
  - id: race
    type: parallel
    wait: any
    branches:
      - id: quick
        run: echo quick
      - id: slow
        run: sleep 30
  - id: both
    type: parallel
    wait: {quorum: 2}
    retry: {max: 2, delay: 1s}
    on_error: continue
    branches:
      - id: bad
        run: sleep 0.5; exit 1
      - id: long
        run: sleep 30
  - id: last
    run: echo last
`;

const BESIDE = `name: beside
steps:
  - id: first
    run: echo first
  - id: both
    type: parallel
    branches:
      - id: left
        run: sleep 30
      - id: right
        run: sleep 30
finally:
  - id: clean
    run: echo clean
`;

const ITEMS = `name: items
steps:
  - id: list
    run: echo '[1,2,3,4,5,6,7,8,9,10]'
  - id: loop
    for_each: $list.json
    steps:
      - id: work
        run: echo "\${item}"
      - id: ask
        when: index == 9
        type: approval
  - id: last
    run: echo last
`;

const PARENT = `name: parent_of_one
steps:
  - id: sub
    pipeline: child_of_one.yaml
    with: {who: ann}
  - id: ask
    input: {prompt: "How many?", responseSchema: {type: integer}}
  - id: news
    wait: {signal: price, timeout: 1h}
  - id: last
    run: echo "\${ask} \${sub}"
`;
const CHILD = `name: child_of_one
args: {who: {type: string, required: true}}
steps:
  - id: sign
    type: approval
    quorum: 2
    remind: 2h
  - id: bye
    run: echo "bye \${who}"
`;

const CHAIN = `name: chain
steps:
  - {id: a, run: "true"}
  - {id: b, run: echo b}
  - {id: c, run: "test -e mended", on_error: hold}
  - {id: d, run: echo d, approval: "Go on after \${b}?"}
  - {id: e, run: echo e}
finally:
  - {id: clean, run: exit 1}
  - {id: sweep, run: echo sweep}
`;

const LEFT_OUT = `name: left_out
steps:
  - id: plan
    run: echo '{"go":false}'
    output: Plan.json
    schema: {type: object, properties: {go: {type: boolean}}}
  - id: part
    type: parallel
    when: plan.go
    branches:
      - id: inner
        run: echo inner
      - id: beside
        run: echo beside
  - id: instead
    when: skipped(inner)
    run: echo instead
  - id: never
    when: "!skipped(inner)"
    run: echo never
`;

export const CONTAINER_CASES = [
  {
    name: 'fan-out',
    guards: 'branches, a loop and a race with an approval within',
    pipeline: { name: 'fan_out', source: FAN_OUT },
    async drive(run) {
      await run.gate('both[1]/right/sign');
      await run.update('approve', { step: 'sign', by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'fan-out-rejected',
    guards: 'a rejection within a branch, and `finally` after it',
    pipeline: { name: 'fan_out', source: FAN_OUT },
    async drive(run) {
      await run.gate('both[1]/right/sign');
      await run.signal('reject', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'loop-continues-as-new',
    guards: 'a loop that continues as new with a gate open in an iteration',
    eventsLimit: 40,
    pipeline: { name: 'items', source: ITEMS },
    async drive(run) {
      await run.gate('loop[9]/ask');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'child',
    guards: 'a child pipeline whose gates are answered at its parent, a forged end of it, an input gate, a wait for a signal',
    pipeline: { name: 'parent_of_one', source: PARENT, others: { 'child_of_one.yaml': CHILD } },
    child: 'sub',
    async drive(run) {
      await run.gate('sub/sign');
      await run.update('approve', { by: 'ann' });
      await run.gate('sub/sign');
      await run.signal('thermidor:child', { step: 'sub#1~1', kind: 'ended', state: 'completed', output: { value: 1 } });
      await run.signal('approve', { by: 'bob' });
      await run.gate('ask');
      await run.refusedUpdate('respond', { response: 'many' });
      await run.signal('respond', { response: 3 });
      await run.step('news', 'waiting');
      await run.signal('price', { now: 7 });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'child-cancelled',
    guards: 'a cancellation that reaches a child pipeline',
    pipeline: { name: 'parent_of_one', source: PARENT, others: { 'child_of_one.yaml': CHILD } },
    child: 'sub',
    async drive(run) {
      await run.gate('sub/sign');
      await run.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: 'chain',
    guards: 'commands that are chained into one activity, one of them held and retried',
    pipeline: { name: 'chain', source: CHAIN },
    async drive(run) {
      await run.step('c', 'held');
      run.write('mended');
      await run.update('retry', { step: 'c' });
      await run.gate('d');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'branches-called-off',
    guards: 'branches that lose a race or a quorum',
    pipeline: { name: 'called_off', source: CALLED_OFF },
    ends: 'COMPLETED',
  },
  {
    name: 'cancelled-beside',
    guards: 'a cancellation with two steps at work',
    pipeline: { name: 'beside', source: BESIDE },
    async drive(run) {
      await run.step('left', 'running');
      await run.step('right', 'running');
      await run.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: 'skipped-with-its-container',
    guards: 'steps that are skipped with what is around them',
    pipeline: { name: 'left_out', source: LEFT_OUT },
    ends: 'COMPLETED',
  },
];
