import { benchOne } from './bench';

const ITEM =
  'agents: {maker: {role: Makes.}, user: {role: Uses.}}\nschemas: {Item.json: {type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}}\n';

test('a command', async () => {
  const report = await benchOne(
    `${ITEM}steps:
  - {id: make, run: make, emits: Item.json}
  - id: each
    for_each: {stream: make, key: id}
    steps: [{id: use, run: "use \${item.id}"}]
  - {id: end, run: "end \${each[1].use} \${make}"}`,
    `commands:
  make: {stdout: "start\\n::item:: {\\"id\\": \\"a\\"}\\n::item:: {\\"id\\": \\"b\\"}\\n::item:: {\\"id\\": \\"a\\"}\\nend\\n"}
  use: [{iteration: 0, stdout: A}, {iteration: 1, stdout: B}]
  end: {stdout: x}
expect:
  status: completed
  steps:
    make: {output: "start\\nend\\n"}
    each: {output_has: [{index: 0, item: {id: a}, use: A}, {index: 1, item: {id: b}, use: B}]}`,
  );
  expect(report.failing).toEqual([]);
});

test('an agent', async () => {
  const report = await benchOne(
    `${ITEM}steps:
  - {id: make, agent: maker, prompt: Make., emits: Item.json, max_waiting: 1}
  - id: each
    for_each: {stream: make, key: id}
    steps: [{id: use, run: "use \${item.id}", when: item.n != 2}]`,
    `replies:
  make:
    - calls:
        - {tool: emit_item, args: {item: {id: a, n: 1}}}
        - {tool: emit_item, args: {item: {id: b, n: 2}}}
        - {tool: emit_item, args: {item: {n: 2}}}
        - {tool: emit_item, args: {item: {id: c, n: 3}}}
      text: done
commands:
  use: {stdout: used, after: 1m}
expect:
  status: completed
  steps:
    each: {output_has: [{index: 0, item: {id: a, n: 1}, use: used}, {index: 1, item: {id: b, n: 2}, use: null}, {index: 2, item: {id: c}, use: used}]}`,
  );
  expect(report.failing).toEqual([]);
});

test('an item that fails, and one that depends on it', async () => {
  const report = await benchOne(
    `${ITEM.replace('n: {type: integer}', 'after: {}')}steps:
  - {id: make, run: make, emits: Item.json}
  - id: each
    for_each: {stream: make, key: id, depends: after}
    max_concurrent: 2
    fixes: 1
    on_all_blocked: skip
    steps: [{id: use, run: "use \${item.id}"}]
  - {id: end, run: "end \${each[0].error.code}"}`,
    `commands:
  make: {stdout: "::item:: {\\"id\\": \\"a\\"}\\n::item:: {\\"id\\": \\"b\\", \\"after\\": [\\"a\\"]}\\n::item:: {\\"id\\": \\"c\\"}\\n"}
  use: [{iteration: 0, exit_code: 1}, {stdout: used}]
  end: {stdout: x}
expect:
  status: completed
  calls: {use: 3}
  steps:
    each: {output_has: [{index: 0, use: null, error: {code: command.failed}}, {index: 1, use: null, error: {code: stream.all-blocked}}, {index: 2, use: used}]}
    end: {command: end "command.failed"}`,
  );
  expect(report.failing).toEqual([]);
});
