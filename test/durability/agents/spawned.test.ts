import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, type MessagesReply, say } from '../../support/messages-server/served';
import type { Received } from '../../support/model-server/received';
import type { Served } from '../../support/model-server/served';
import { journal, runOf, status } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { until } from '../support/until';
import { type LiveScratch, liveScratch } from './service';

/**
 * An agent that continues with its turns while a child works, and loses its worker twice: once while both are running, once while it has
 * nothing else to do and waits for its second child.
 */
const PIPELINE = `name: growing
agents: { w: { role: You work. } }
steps:
  - {id: lead, agent: lead, output: A.md}
`;
const SILENCE = { kind: 'silence' } as const;
const report = (summary: string): string => JSON.stringify({ summary, findings: [], artifacts: [] });

let live: LiveScratch;
let run: string;

beforeAll(async () => {
  live = await liveScratch();
  const { scratch } = live;
  live.serve(reply);
  scratch.write('pipelines/agents/lead.yaml', 'role: You lead.\n');
  scratch.write('pipelines/growing.yaml', PIPELINE);
  await scratch.keepServer();
  let working = scratch.thermidor('run', 'growing', '--live');
  run = await runOf(working);
  await working.until('parent and child are at work', () => turnsAsked('lead#1~1').includes(2) && asked('lead#1~1/spawn-1').length === 1);
  await working.kill();
  working = scratch.thermidor('watch', run);
  await working.until('the parent waits for its second child', () => asked('lead#1~1/spawn-2').length === 1 && saidLast('I wait'));
  await working.kill();
  await scratch.follow('watch', run).endsWith(0);
}, SET_UP_MS);

afterAll(() => live.close());

async function reply(request: Received): Promise<Served<MessagesReply>> {
  const address = addressIn(request);
  const isFirst = asked(address).filter(({ idempotencyKey }) => idempotencyKey === request.idempotencyKey).length <= 1;
  if (address === 'lead#1~1/spawn-1') return isFirst ? SILENCE : say(report('it rises'));
  if (address === 'lead#1~1/spawn-2') return isFirst ? SILENCE : say(report('it falls'));
  switch (request.turn) {
    case 1:
      return call(['sessions_spawn', { agent: 'w', task: 'first' }]);
    case 2:
      if (isFirst) return SILENCE;
      await until('the first child has ended', () => hasRecord('lead#1~1/spawn-1/result'));
      return call(['subagents', {}]);
    case 3:
      return call(['sessions_spawn', { agent: 'w', task: 'second' }]);
    case 4:
      return say('I wait');
    default:
      return say('done');
  }
}

/** The step's address in a key `run/first run/address/ask/length`. */
function addressIn({ idempotencyKey }: Received): string {
  return /^[^/]+\/[^/]+\/(.*)\/\d+\/\d+$/.exec(idempotencyKey)?.[1] ?? '';
}

function asked(address: string): Received[] {
  return live.server.requests.filter((request) => addressIn(request) === address);
}

const turnsAsked = (address: string) => asked(address).map(({ turn }) => turn);
const saidLast = (text: string) => hasLine('lead#1~1/transcript', text);

function recordFiles(): string[] {
  const folder = join(live.scratch.stateDir, 'ledger', run);
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

function hasRecord(name: string): boolean {
  return recordFiles().some((file) => file.endsWith(`${name.replaceAll('/', '%2F')}.json`));
}

function hasLine(log: string, text: string): boolean {
  const file = recordFiles().find((path) => path.endsWith(`${log.replaceAll('/', '%2F')}.jsonl`));
  return file !== undefined && live.scratch.lines(join('.thermidor', 'ledger', run, file)).some((line) => line.includes(text));
}

test('it ends as if nothing had happened: no child twice, none lost', async () => {
  expect(await status(live.scratch, run)).toMatchObject({ state: 'completed', steps: [{ id: 'lead', state: 'done' }] });
  const envelopes = (await journal(live.scratch, run)).flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
  const between = envelopes.filter(({ from, to }) => from === 'w' || to === 'w').map(({ from, intent }) => `${from} ${intent}`);
  expect(between).toEqual(['lead assign_task', 'w deliver_report', 'lead assign_task', 'w deliver_report']);
});

test('of the parent and of each child only the request that was in flight is made again, under the same key', () => {
  expect(turnsAsked('lead#1~1')).toEqual([1, 2, 2, 3, 4, 5]);
  for (const child of ['lead#1~1/spawn-1', 'lead#1~1/spawn-2']) {
    expect(asked(child)).toHaveLength(2);
    expect(new Set(asked(child).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  }
});

test('the parent is informed of the child that ended while it was at work before its next turn, and of the other once it has waited', () => {
  const saidAt = (turn: number) => asked('lead#1~1').find((request) => request.turn === turn)?.said ?? '';
  expect(saidAt(2)).not.toContain('it rises');
  expect(saidAt(3)).toContain('it rises');
  expect(saidAt(5)).toContain('it falls');
  expect(live.server.problems).toEqual([]);
});
