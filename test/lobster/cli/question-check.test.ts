import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LobsterFailure } from '../../../cli/lobster/exit';
import type { PausedRun } from '../../../cli/lobster/paused-run';
import { compileFile } from '../../../cli/lobster/program';
import { checkQuestion } from '../../../cli/lobster/question-check';
import { openRecords } from '../../../records/open-records';
import { fakeTerminal } from '../../cli/fake-terminal';
import { scratchFolder } from '../../support/scratch-folder';

/** Tests edits of a file while its run asks. */
let folder: string;

beforeEach(() => {
  folder = scratchFolder();
});

const FLOW = `
steps:
  - { id: notes, run: 'echo [1]' }
  - { id: first, run: echo x, approval: Ship it? }
  - { id: piped, pipeline: 'json | ask --prompt "How many?"', when: $first.approved }
  - { id: q, input: { prompt: How many?, responseSchema: {} } }
  - id: both
    when: $first.approved
    parallel:
      branches:
        - { id: left, pipeline: 'json | approve --prompt left' }
        - { id: right, run: echo right }
  - id: loop
    for_each: $notes.json
    steps:
      - { id: inner, pipeline: 'json | approve --prompt inner' }
  - { id: sub, workflow: child.yaml }
  - { id: ship, run: 'echo $q.response $first.stdout' }
`;
const CHILD = `
steps:
  - { id: c, run: echo 7, approval: In the child? }
  - { id: d, run: echo 8 }
`;

interface Edit {
  flow?: (text: string) => string;
  child?: (text: string) => string;
}

/** Starts with the texts above, edits the files, and returns the fault of an answer to the gate. */
async function after({ flow = (text) => text, child = (text) => text }: Edit, gate: string, asks: PausedRun['asks']) {
  const path = join(folder, 'flow.lobster');
  writeFileSync(path, FLOW);
  writeFileSync(join(folder, 'child.yaml'), CHILD);
  const { plan, blobs } = compileFile(path, 'flow.lobster', false).compiled;
  const store = openRecords({ stateDir: join(folder, 'state') }).artifacts;
  for (const { content, mediaType, name } of blobs.values()) await store.put(content, { mediaType, name });
  writeFileSync(path, flow(FLOW));
  writeFileSync(join(folder, 'child.yaml'), child(CHILD));
  const terminal = { ...fakeTerminal(), cwd: folder };
  return checkQuestion({ paused: paused(gate, asks, path), plan, store, terminal }).catch((error: LobsterFailure) => error);
}

function paused(gate: string, asks: PausedRun['asks'], filePath: string): PausedRun {
  const server = { root: folder, stateDir: folder, namespace: 'default', taskQueue: 'thermidor' };
  const at = '2026-01-01T00:00:00.000Z';
  return {
    format: 'thermidor.lobster-resume.v1',
    run: 'r1',
    gate,
    asks,
    step: gate.replace(/.*\//, ''),
    openedAt: at,
    createdAt: at,
    shownSha256: '',
    server,
    filePath,
  };
}

const swap = (from: string, to: string) => (text: string) => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

test.each<[string, Edit, string, PausedRun['asks'], string, string]>([
  ['the prompt of an approval', { flow: swap('Ship it?', 'Pay?') }, 'first', 'approval', 'step', '4:11'],
  ['what the asking step runs', { flow: swap('run: echo x', 'run: echo y') }, 'first', 'approval', 'step', '4:11'],
  ['a stage of a pipe that asks', { flow: swap('json | ask', 'json | head --n 1 | ask') }, 'piped', 'input', 'step', '5:11'],
  ['the question of a stage', { flow: swap('"How many?"', '"How few?"') }, 'piped', 'input', 'step', '5:11'],
  ['the condition of a step that asks', { flow: swap(', when: $first.approved', '') }, 'piped', 'input', 'step condition', '5:11'],
  ['the schema of an input', { flow: swap('{}', '{type: string}') }, 'q', 'input', 'step', '6:11'],
  ['the kind of step', { flow: swap('input: { prompt: How many?, responseSchema: {} }', 'run: echo 1') }, 'q', 'input', 'step', '6:11'],
  ['the name of the step', { flow: swap('{ id: left,', '{ id: up,') }, 'both[0]/left', 'approval', 'step', '7:9'],
  ['the pipe of a branch', { flow: swap('prompt left', 'prompt other') }, 'both[0]/left', 'approval', 'step', '11:17'],
  [
    'the condition around a branch',
    { flow: swap('when: $first.approved\n', 'when: "!$first.approved"\n') },
    'both[0]/left',
    'approval',
    'step condition',
    '7:9',
  ],
  ['the pipe in a loop', { flow: swap('prompt inner', 'prompt other') }, 'loop[0]/inner', 'approval', 'step', '16:15'],
  ['a step of a child', { child: swap('In the child?', 'Other?') }, 'sub/c', 'approval', 'step', '17:11'],
  ['a child that is another file', { flow: swap('workflow: child.yaml', 'run: echo 1') }, 'sub/c', 'approval', 'step', '17:11'],
])('%s has changed: refused, with the place', async (_what, edit, gate, asks, what, place) => {
  const failure = await after(edit, gate, asks);
  expect(failure).toMatchObject({ type: 'runtime_error', message: `workflow ${asks} ${what} changed since ${asks} request` });
  const { located = '' } = (failure as LobsterFailure).more;
  expect(located).toContain(`flow.lobster:${place}  `);
  expect(located).toContain(asks === 'input' ? `thermidor respond r1 ${gate} ` : `thermidor approve r1 ${gate}`);
});

const PLACES: [string, PausedRun['asks']][] = [
  ['first', 'approval'],
  ['piped', 'input'],
  ['q', 'input'],
  ['both[0]/left', 'approval'],
  ['loop[0]/inner', 'approval'],
  ['sub/c', 'approval'],
];

test.each(PLACES)('what other steps say may change while %s asks', async (gate, asks) => {
  const flow = (text: string) =>
    swap(
      'echo $q.response $first.stdout',
      'echo $q.response $first.approvedBy',
    )(swap('echo [1]', 'echo [2]')(text))
      .replace('echo right', 'echo wrong')
      .concat('  - { id: more, run: echo, stdin: $first.json, when: $piped.json }\n');
  expect(await after({ flow, child: swap('echo 8', 'echo 9') }, gate, asks)).toBeUndefined();
});

test.each(PLACES)('a file that is gone refuses nothing while %s asks', async (gate, asks) => {
  expect(await after({}, gate, asks)).toBeUndefined();
  const terminal = { ...fakeTerminal(), cwd: folder };
  const path = join(folder, 'flow.lobster');
  const { plan } = compileFile(path, 'flow.lobster', false).compiled;
  rmSync(path);
  await checkQuestion({
    paused: paused(gate, asks, path),
    plan,
    store: openRecords({ stateDir: join(folder, 'state') }).artifacts,
    terminal,
  });
});

test('a file that does not compile any more is refused with its mistakes', async () => {
  const failure = await after({ flow: swap('run: echo right', 'pipeline: nope') }, 'first', 'approval');
  const { located } = (failure as LobsterFailure).more;
  expect(located).toContain('flow.lobster:12:');
  expect(located).toContain('hint: the token stays valid');
});
