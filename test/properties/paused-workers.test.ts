import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import type { ModelReply, ModelService } from '../../activities/adapters/model/service';
import { agent } from '../../activities/agent/agent';
import { commands } from '../../activities/commands/commands';
import type { ProcessRunner } from '../../activities/ports';
import { RUN } from '../../activities/tools/run-command';
import type { Tool } from '../../activities/tools/tool';
import { chargedMicroUsd } from '../../plan/budgets/usage';
import { accountLog, readAccountEntry } from '../../records/accounts/account-log';
import type { Ledger } from '../../records/ledger';
import { MemoryLedger } from '../../records/memory/memory-store';
import { RUN_RECORD } from '../../records/runs/run-record';
import { readLine, transcriptLog } from '../../records/transcripts/transcript-log';
import type { Turn } from '../../records/transcripts/turn';
import { step } from '../activities/command-chain';
import { KEY, type Workshop, workshop } from '../activities/workshop';
import { type Attempt, ledgerOf, playAttempts } from '../support/simulation/attempts';
import { type Dice, dice } from '../support/simulation/dice';
import { sweepCount } from '../support/sweep';

/**
 * Properties of workers that are stopped anywhere in the work of an activity and continue at any moment, while others are killed.
 * The seeds are fixed; `THERMIDOR_FUZZ=n` tries n more, `THERMIDOR_SEED=n` one alone.
 *
 * 1. The attempt for which the server waits is never hindered, and an earlier attempt fails only with `worker.lost`. 2. A line of a
 * transcript that counts once counts forever, and the lines that count form one history. 3. An attempt begins nothing after a later one has
 * claimed the work, so only work in flight is done again; no attempt begins anything twice, and only one attempt begins the program of a
 * tool. 4. An account has each reply once, and its sum equals the count of the budget. 5. Every attempt that ends has the same result.
 */
const SEEDS = sweepCount(50, 150) + Number(process.env['THERMIDOR_FUZZ'] ?? 0);
const IN_ONE_TEST = 50;
const alone = process.env['THERMIDOR_SEED'];
const chunks =
  alone === undefined ? Array.from({ length: Math.ceil(SEEDS / IN_ONE_TEST) }, (_, i) => IN_ONE_TEST * i + 1) : [Number(alone)];
const ADDRESS = 'lead#1~1';
const PRICES = { models: { m: { input: 1, output: 1 } } };

/** The pieces of work that were begun, with their attempts, and the attempt that claimed the work last. */
interface Done {
  by: Map<string, number[]>;
  claimed: number;
}

const nothing = (): Done => ({ by: new Map(), claimed: 0 });

/** Does something that takes time and cannot be undone. */
async function doing<T>(attempt: Attempt, done: Done, what: string, result: T): Promise<T> {
  const before = done.by.get(what) ?? [];
  if (done.claimed > attempt.number) throw new Error(`attempt ${attempt.number} begins ${what} after ${done.claimed} has claimed the work`);
  if (before.includes(attempt.number)) throw new Error(`attempt ${attempt.number} begins ${what} twice`);
  if (what.startsWith('program') && before.length > 0) throw new Error(`${what} is begun again`);
  done.by.set(what, [...before, attempt.number]);
  await attempt.pass();
  await attempt.pass();
  return result;
}

/** A service with these replies. Each but the last calls two tools. */
function service(replies: readonly ModelReply[], attempt: Attempt, done: Done): ModelService {
  return {
    name: 'sim',
    async reply({ turns }) {
      const n = turns.filter(({ role }) => role === 'assistant').length;
      const reply = replies[n];
      if (!reply) throw new Error(`nobody has a reply ${n}`);
      return await doing(attempt, done, `reply ${n}`, reply);
    },
  };
}

function repliesOf(chance: Dice): ModelReply[] {
  const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
  const called = Array.from({ length: chance.whole(1, 3) }, (_, n) => {
    const calls = Array.from({ length: chance.whole(1, 2) }, (_unused, i) => {
      const name = chance.chance(0.5)
        ? { tool: 'touch', args: { what: `${n}.${i}` } }
        : { tool: 'run', args: { argv: ['program', `${n}.${i}`] } };
      return { id: `call-${n}-${i}`, ...name };
    });
    return { text: '', calls, usage, model: 'm' };
  });
  return [...called, { text: 'done', calls: [], usage, model: 'm' }];
}

function processes(attempt: Attempt, done: Done): ProcessRunner {
  const wordOf = (command: Parameters<ProcessRunner['run']>[0]['command']) => ('shell' in command ? command.shell : command.argv.join(' '));
  return { run: ({ command }) => doing(attempt, done, wordOf(command), { stdout: 'out\n', stderr: '' }) };
}

/** The ledger of an attempt, which notes the attempt that has claimed it. */
function watched(ledger: Ledger, attempt: Attempt, done: Done): Ledger {
  const own = ledgerOf(ledger, attempt);
  const claimed = (): void => {
    done.claimed = Math.max(done.claimed, attempt.number);
  };
  return {
    ...own,
    claim: async (run, log, at) => {
      const taken = await own.claim(run, log, at);
      claimed();
      return taken;
    },
    recordLog: async (run, log) => {
      const records = await own.recordLog(run, log);
      return {
        ...records,
        async claim(names, at) {
          await records.claim(names, at);
          // The log `work` notes the beginning of the work before the claim.
          if (log !== 'work') claimed();
        },
      };
    },
  };
}

async function inMemory(shop: Workshop): Promise<MemoryLedger> {
  const ledger = new MemoryLedger();
  await ledger.putIfAbsent(KEY, RUN_RECORD, (await shop.ledger.get(KEY, RUN_RECORD)) ?? null);
  return ledger;
}

async function agentHolds(shop: Workshop, seed: number): Promise<number> {
  const chance = dice(seed, 'zombies');
  const replies = repliesOf(chance);
  const done = nothing();
  const ledger = await inMemory(shop);
  const transcript = () => ledger.lines(KEY, transcriptLog(ADDRESS));
  let stood = '';
  const outputs: string[] = [];
  const { result, attempts } = await playAttempts(chance, async (plain) => {
    // Lines that count now must count at the next look, too.
    const pass = async (): Promise<void> => {
      const lines = (await transcript()).map((line) => `${JSON.stringify(line)}\n`).join('');
      if (!lines.startsWith(stood)) throw new Error(`the transcript has changed:\n${stood}---\n${lines}`);
      stood = lines;
      await plain.pass();
    };
    const attempt: Attempt = { ...plain, pass };
    const touch: Tool = {
      description: 'touches',
      parameters: { type: 'object' },
      call: (args) => doing(attempt, done, `touch ${JSON.stringify(args)}`, { text: 'touched' }),
    };
    const toolbox = {
      ...{ ...shop.toolbox, prices: PRICES, ledger: watched(ledger, attempt, done), processes: processes(attempt, done) },
      ...{ tools: { touch, run: RUN }, adapters: new Map([['sim', modelAdapter(service(replies, attempt, done))]]), defaultAdapter: 'sim' },
    };
    const output = await agent(toolbox, shop.call(ADDRESS, attempt.call), { run: KEY.run, budget: { costMicroUsd: 1_000_000 } });
    outputs.push(JSON.stringify(output));
    return output;
  });
  if (new Set(outputs).size !== 1) throw new Error(`attempts end with ${outputs.join('\n')}`);
  const turns = (await transcript()).flatMap((line): Turn[] => {
    const said = readLine(line);
    return said && 'turn' in said ? [said.turn] : [];
  });
  const shape = turns.map(({ role, calls = [], call, text }) => [
    role,
    call?.id ?? calls.map(({ id }) => id).join(),
    role === 'tool' || text,
  ]);
  const expected = replies.flatMap(({ calls, text }) => [
    ['assistant', calls.map(({ id }) => id).join(), text],
    ...calls.map(({ id }) => ['tool', id, true]),
  ]);
  expect(shape.slice(1)).toEqual(expected);
  const account = (await ledger.lines(KEY, accountLog(ADDRESS))).map(readAccountEntry);
  const paid = account.flatMap((entry) => (entry?.kind === 'paid' ? [entry] : []));
  expect(account.filter((entry) => entry?.kind !== 'paid')).toEqual([]);
  expect(paid.filter(({ unanswered }) => !unanswered)).toHaveLength(replies.length);
  expect(paid.reduce((sum, { usage }) => sum + chargedMicroUsd(usage), 0)).toBe(result.usage && chargedMicroUsd(result.usage));
  return attempts;
}

async function commandsHold(shop: Workshop, seed: number): Promise<number> {
  const ids = ['a', 'b', 'c', 'd'];
  const done = nothing();
  const ledger = await inMemory(shop);
  const { result, attempts } = await playAttempts(dice(seed, 'commands'), (attempt) => {
    const toolbox = { ...shop.toolbox, nowMs: () => 0, ledger: watched(ledger, attempt, done), processes: processes(attempt, done) };
    const steps = ids.map((id) => ({ address: `${id}#1~1`, input: {} }));
    return commands(toolbox, shop.call('a#1~1/chain', attempt.call), { run: KEY.run, steps }).then((output) => {
      if (output.failure && output.failure.code !== 'worker.lost') throw new Error(output.failure.message);
      return output;
    });
  });
  expect(result.failure).toBeUndefined();
  expect(result.done).toHaveLength(ids.length);
  return attempts;
}

async function agentShop(): Promise<Workshop> {
  const shop = workshop();
  const definition = await shop.blob({ id: 'lead', role: 'You lead.', model: 'm', tools: ['touch', 'run'] });
  await shop.open([{ id: 'lead', kind: 'agent', agent: 'lead' }], { agents: { lead: { definition } } });
  return shop;
}

async function commandShop(): Promise<Workshop> {
  const shop = workshop();
  await shop.open(['a', 'b', 'c', 'd'].map((id) => step(id, { shell: [id] })));
  return shop;
}

describe.each([
  ['an agent', agentShop, agentHolds],
  ['a chain of commands', commandShop, commandsHold],
] as const)('workers that are stopped in the work of %s and go on at any moment', (_, open, holds) => {
  test.each(chunks)('change nothing: seeds from %d', async (first) => {
    const shop = await open();
    let attempts = 0;
    const seeds = Array.from({ length: alone === undefined ? IN_ONE_TEST : 1 }, (_unused, i) => first + i);
    for (const seed of seeds) {
      attempts += await holds(shop, seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
    }
    // With fewer attempts the test would prove little.
    if (alone === undefined) expect(attempts).toBeGreaterThan(1.5 * seeds.length);
  });
});
