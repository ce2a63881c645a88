import { mkdirSync } from 'node:fs';
import type { JournalEntry } from '../../plan/run/journal';
import { type AgentPrograms, agentPrograms } from '../support/agent-programs/programs';
import { inSweep } from '../support/sweep';
import { journal, runOf, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/**
 * A team of coding agents on a real server: each speaks its program's own format, and says in turn that a task is done, blocked and failed,
 * and what is no report at all. Then the worker is killed while all of them are in the middle of a turn.
 */
const PRESETS = ['claude', 'codex', 'gemini'] as const;
type Preset = (typeof PRESETS)[number];

let scratch: Scratch;
let fakes: Record<Preset, AgentPrograms>;
beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(async () => {
  await scratch.close();
  for (const fake of Object.values(fakes)) fake.close();
});

const TASKS = ['one', 'two', 'three', 'four', 'five'];

/** Each text is another one, so that the stand-in knows what its conversation has. */
function repliesOf(preset: Preset): string[] {
  const report = (status: string, summary: string) => JSON.stringify({ status, summary: `${preset} ${summary}` });
  return [
    report('done', 'did one'),
    report('blocked', 'has no key for two'),
    report('done', 'did two'),
    report('failed', 'cannot do three'),
    report('done', 'did three'),
    ...['I am done with four.', 'Four is done, believe me.', 'Four!'].map((text) => `${preset}: ${text}`),
    report('done', 'did four'),
    report('done', 'did five'),
  ];
}

function setUp(): Record<Preset, AgentPrograms> {
  const made = PRESETS.map((preset) => {
    mkdirSync(scratch.path(preset));
    const fake = agentPrograms(scratch.path(preset));
    const replies = repliesOf(preset).map((text) => ({ text }));
    fake.play({ replies, faults: [{ at: replies.length, kind: 'silent' }] });
    return [preset, fake] as const;
  });
  const found = Object.fromEntries(made) as Record<Preset, AgentPrograms>;
  const adapters = Object.fromEntries(
    made.map(([preset, fake]) => {
      const { command, env } = fake.spec(preset);
      return [preset, { command, env }];
    }),
  );
  scratch.write('thermidor.yaml', JSON.stringify({ adapters }));
  const step = {
    ...{ id: 'team', type: 'board', until: 'all_done', attempts: 2 },
    members: PRESETS.map((preset) => ({ name: `m-${preset}`, role: preset, agent: preset })),
    tasks: PRESETS.flatMap((preset) => TASKS.map((name) => ({ subject: `${preset} ${name}`, required_role: preset }))),
  };
  const agents = Object.fromEntries(PRESETS.map((preset) => [preset, { role: 'You work.', adapter: preset }]));
  scratch.write('pipelines/crew.yaml', JSON.stringify({ name: 'crew', agents, steps: [step], output: 'team' }));
  return found;
}

inSweep.test('each answer counts as what it says, and after a kill only the turn in flight is paid for again', async () => {
  fakes = setUp();
  const still = Promise.all(PRESETS.map((preset) => fakes[preset].still()));
  const worker = scratch.thermidor('run', 'crew');
  const run = await runOf(worker);
  await still;
  await worker.kill();
  for (const fake of Object.values(fakes)) fake.close();
  await scratch.follow('watch', run).endsWith(0);

  const board = (await journal(scratch, run)).flatMap((entry): Extract<JournalEntry, { kind: 'board' }>[] =>
    entry.kind === 'board' ? [entry] : [],
  );
  const view = await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
  const tasks = view.steps.flatMap(({ board: shown }) => shown?.tasks ?? []);
  for (const preset of PRESETS) {
    const own = tasks.filter(({ requiredRole }) => requiredRole === preset);
    expect(own.map(({ status, owner, attempt }) => `${status} ${owner} ${attempt}`)).toEqual(
      [1, 2, 2, 2, 1].map((attempt) => `completed m-${preset} ${attempt}`),
    );
    const returned = board.flatMap((entry) => (entry.event === 'returned' && entry.by === `m-${preset}` ? [entry.reason] : []));
    expect(returned).toEqual([
      `blocked: ${preset} has no key for two`,
      `${preset} cannot do three`,
      expect.stringContaining('its answer could not be used'),
    ]);
    // What is no report is asked for again twice; the reply that the kill cut off was not given.
    expect(fakes[preset].paid()).toBe(repliesOf(preset).length);
    const told = `It came back from m-${preset}: blocked: ${preset} has no key for two`;
    expect(fakes[preset].asked().filter(({ stdin }) => stdin.includes(told))).not.toEqual([]);
  }
  expect(board.filter(({ event }) => event === 'failed')).toEqual([]);
});
