import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The input of `thermidor test`: a pipeline of ten steps, and tests that play it to its end. */
export const TESTED_STEPS = 10;
export const TESTS = 1000;

/** Path of the test file, from `folder`. */
export function writeTestedPipeline(folder: string): string {
  for (const [file, text] of Object.entries({
    'ten.yaml': PIPELINE,
    'ten.test.yaml': testsOf(TESTS),
    'agents/writer.yaml': 'role: Writes.\n',
  })) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return 'ten.test.yaml';
}

/** A retry, a gate that a person answers after two hours, and agents whose replies are checked. */
export const PIPELINE = `name: ten
args: {topic: {type: string, default: rain}}
steps:
  - {id: list, run: "list \${topic}"}
  - {id: pick, run: "pick", stdin: $list.json}
  - {id: draft, agent: writer, prompt: "On \${pick.title}.", output: Draft.json, schema: {type: object, required: [title], properties: {title: {type: string}}}}
  - {id: check, run: "check \${draft.title}", retry: {max: 2, delay: 1s}}
  - {id: look, agent: writer, prompt: "Look at \${draft.title}."}
  - {id: stamp, run: "stamp"}
  - {id: ask, type: approval, prompt: "Publish \${draft.title}?", approvers: anyone}
  - {id: publish, run: "publish \${draft.title}"}
  - {id: announce, notify: {channel: "#news", message: "Out: \${draft.title}"}}
  - {id: tidy, run: "tidy", when: $ask.approved}
`;

export function testsOf(count: number): string {
  const head = `pipeline: ten.yaml
replies: {draft: [{json: {title: Rain}}], look: [{text: fine}]}
commands:
  list: {json: [a, b]}
  pick: {json: {title: Rain}}
  check: [{try: 1, exit_code: 1}, {stdout: ok}]
  "*": {stdout: done}
people: [{gate: ask, after: 2h, approve: {by: chairman}}]
tests:
`;
  const tests = Array.from(
    { length: count },
    (_, n) => `  - name: test ${n}
    args: {topic: rain ${n}}
    expect: {status: completed, elapsed: {least: 2h}, steps: {draft: done, tidy: done}, calls: {check: 2}}
`,
  );
  return head + tests.join('');
}
