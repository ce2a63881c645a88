import {
  BrokenReply,
  type CountRequest,
  type ModelReply,
  type ModelRequest,
  type ModelService,
} from '../../activities/adapters/model/service';
import type { Amounts } from '../../plan/budgets/budget';
import { costOf, type ModelPrice, type PriceTable } from '../../plan/budgets/price';
import { reportedReply } from '../../plan/budgets/reported-usage';
import { tokensOf, type Usage } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import { dice } from '../support/simulation/dice';

/**
 * A service that uses as much as it may: it counts the most tokens that a text may have, writes up to the limit, and fails as services do.
 */
export interface SpendingServer extends ModelService {
  /** The usage that it has counted so far, reported or not. */
  billed(): Required<Amounts>;
  requests(): number;
}

export const GOOD = '{"ok":true}';
export const BAD = '{"no":true}';

export function spendingServer(seed: number, model: string, prices: PriceTable): SpendingServer {
  const whole = dice(seed, 'server');
  // The tokens for each byte, and those around a message, a tool and a request, are never more than the declared maximum.
  const [aByte, around] = [whole.pick([1, 1, 0.5, 0.25]), whole.pick([1, 1, 0])];
  const [troubles, counts] = [whole.pick([0, 0.1, 0.25]), whole.chance(0.5)];
  const billed = { tokens: 0, costMicroUsd: 0 };
  let asked = 0;

  const read = ({ system, turns, tools, schema }: Omit<CountRequest, 'model'>): number => {
    const offered = tools.map((tool) => 128 * around + aByte * bytes(tool.name, tool.description, JSON.stringify(tool.parameters)));
    const said = turns.map(({ text, calls = [] }) => {
      const made = calls.map(({ id, tool, args }) => 32 * around + aByte * bytes(id, tool, JSON.stringify(args)));
      return 32 * around + aByte * bytes(text) + total(made);
    });
    const fixed = 768 * around + aByte * bytes(system, schema === undefined ? '' : JSON.stringify(schema));
    return Math.floor(fixed + total(offered) + total(said));
  };

  return {
    name: 'scripted',
    billed: () => billed,
    requests: () => asked,
    ...(counts ? { countInput: async (request) => read(request) } : {}),
    async reply({ maxTokens = 0, ...request }: ModelRequest): Promise<ModelReply> {
      asked += 1;
      const chance = dice(seed, 'reply', request.idempotencyKey, asked);
      if (chance.chance(troubles / 2)) throw new ThermidorFailure('model.overloaded', 'busy', { status: 429 }, 1);
      const input = read(request);
      const isShort = chance.chance(0.2);
      const usage = { ...divided(input, chance.roll()), outputTokens: isShort ? Math.ceil(maxTokens / 3) : maxTokens, costMicroUsd: null };
      billed.tokens += tokensOf(usage);
      billed.costMicroUsd += costOf(usage, model, prices) ?? 0;
      if (chance.chance(troubles / 3)) throw new ThermidorFailure('model.api-error', 'the connection is lost');
      if (chance.chance(troubles / 3)) throw broken(chance.chance(0.5) ? usage : undefined);
      const told = chance.chance(troubles / 2) ? chance.pick(UNTOLD) : { usage };
      const reply = { text: '', calls: [], model: chance.pick([model, `${model}-20260101`, 'another-name']), ...told };
      // A request without tools is one for a summary.
      if (request.tools.length === 0) return { ...reply, text: chance.pick([GOOD, BAD, 'What was done.']) };
      if (!isShort && chance.chance(0.3)) return { ...reply, text: '{"ok":', stop: 'cut' };
      if (request.turns.length < 8 && chance.chance(0.3)) {
        const call = { id: 'c', tool: 'read_file', args: { path: 'x'.repeat(chance.whole(1, 60)) } };
        return { ...reply, calls: [call] };
      }
      if (request.turns.length > 3 && chance.chance(0.05)) return { ...reply, usage, stop: 'overflow' };
      return { ...reply, text: chance.pick([GOOD, GOOD, BAD]) };
    },
  };
}

/** The ways in which services fail to report their usage. */
const UNTOLD: readonly [{ usage?: Usage }, ...{ usage?: Usage }[]] = [
  {},
  { usage: reportedReply({ inputTokens: 0, outputTokens: 0 }) },
  { usage: reportedReply({ inputTokens: -5, outputTokens: 7 }) },
  { usage: reportedReply({ inputTokens: Number.NaN, outputTokens: 7 }) },
  { usage: reportedReply({ inputTokens: 5, outputTokens: 1e300 }) },
  { usage: reportedReply({ inputTokens: '900', outputTokens: '1' }) },
  { usage: reportedReply({ outputTokens: 7 }) },
];

function broken(usage: Usage | undefined): BrokenReply {
  return new BrokenReply(usage && { ...usage, outputTokens: 1 }, 'half', new ThermidorFailure('model.api-error', 'it broke off'));
}

/** Divides the input: a part is read from a cache and a part written to it. */
function divided(tokens: number, roll: number): Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'> {
  const cacheWriteTokens = roll < 0.3 ? tokens : Math.floor(tokens * roll);
  const cacheReadTokens = roll > 0.9 ? tokens - cacheWriteTokens : 0;
  return { inputTokens: tokens - cacheWriteTokens - cacheReadTokens, cacheReadTokens, cacheWriteTokens };
}

export function pricesFor(seed: number, model: string): PriceTable {
  const chance = dice(seed, 'prices');
  const input = chance.pick([0.1, 1, 3, 5, 15, 0.000001, 7.77]);
  const price: ModelPrice = { input, output: chance.pick([0, 0.4, input, 5 * input, 75]) };
  if (chance.chance(0.7)) price.cacheWrite = input * chance.pick([1.25, 2, 0.5]);
  if (chance.chance(0.7)) price.cacheRead = input * chance.pick([0.1, 1, 3]);
  return { models: { [model]: price } };
}

function bytes(...texts: readonly string[]): number {
  return total(texts.map((text) => Buffer.byteLength(text)));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
