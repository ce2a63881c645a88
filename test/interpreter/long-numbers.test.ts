import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../git/scene';
import { runWhole } from '../support/whole-run';

/** Whole runs write their numbers into a file: no id is changed on the way, and none is lost. */
async function written(steps: string, more: Parameters<typeof runWhole>[1] & { head?: string } = {}): Promise<string[]> {
  const file = join(scratchFolder(), 'out');
  const run = runWhole(`${more.head ?? ''}steps:\n${steps.replaceAll('FILE', file)}`, more);
  await run.completes();
  return readFileSync(file, 'utf8').trim().split('\n').sort();
}

const IDS = ['1234567890123456781', '1234567890123456782', '1234567890123456783'];

test('a loop over a list has each of its ids', async () => {
  const steps = `  - {id: list, run: "echo '[${IDS.join(', ')}]'"}
  - {id: all, for_each: $list.json, steps: [{id: del, run: 'echo \${item} >> FILE'}]}
`;
  expect(await written(steps)).toEqual(IDS);
});

test('a stream knows its items by their ids', async () => {
  const items = IDS.map((id) => `      echo '::item:: {"id": ${id}}'`).join('\n');
  const steps = `  - id: list
    emits: Item.json
    run: |
${items}
  - {id: all, for_each: {stream: list, key: id}, steps: [{id: one, run: 'echo \${item.id} >> FILE'}]}
`;
  const files = { 'schemas/Item.schema.json': '{"type": "object"}' };
  expect(await written(steps, { files })).toEqual(IDS);
});

test('what commands, models and defaults say is written as they have said it', async () => {
  const steps = `  - {id: version, run: echo 1.10}
  - {id: commit, run: echo 123e456}
  - {id: line, run: "echo '{\\"id\\": ${IDS[0]}}'"}
  - {id: think, agent: w, prompt: x, output: Row.json}
  - {id: use, run: 'echo \${version} \${commit} \${line.id} \${think.id} \${think.v} \${args.v} \${args.row.id} >> FILE'}
`;
  const files = { 'schemas/Row.schema.json': '{"type": "object", "required": ["id"]}' };
  const head = `args: {v: {default: 1.10}, row: {default: {id: ${IDS[1]}}}}\n`;
  const script = `replies:\n  think: [{text: '{"id": ${IDS[2]}, "v": 1.10}'}]\n`;
  expect(await written(steps, { files, head, script })).toEqual([`1.10 123e456 ${IDS[0]} ${IDS[2]} 1.10 1.10 ${IDS[1]}`]);
});
