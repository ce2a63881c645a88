import { modelAdapter } from '../../../activities/adapters/model/model-adapter';
import { BrokenReply, type ModelReply, type ModelRequest } from '../../../activities/adapters/model/service';
import type { Usage } from '../../../plan/budgets/usage';
import { ThermidorFailure } from '../../../plan/run/failure';
import { type AdapterUnderTest, type Asked, type Fault, type PlayedReply, USAGE } from '../play';
import { type Answer, REPLY_BY_REPLY, standIn } from './stand-in';

/** The loop that all services share, with a service in memory: a fault here is a fault of each of them. */
export const MODEL_LOOP: AdapterUnderTest = {
  abilities: [...REPLY_BY_REPLY, 'early-usage'],
  async make({ onAsked }) {
    const side = standIn();
    let open = 0;
    async function answer({ reply, fault }: Answer, request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
      if (fault) await suffer(fault, request, signal);
      if (fault?.kind === 'overflow') return { text: '', calls: [], usage: usageOf(NONE), model: request.model, stop: 'overflow' };
      side.count();
      return replyOf(reply, request.model);
    }
    async function suffer(fault: Fault, { alive }: ModelRequest, signal: AbortSignal): Promise<void> {
      if (fault.kind === 'silent') return await side.hold(signal);
      if (fault.kind === 'stalled') {
        // No piece comes before the caller listens.
        await new Promise(setImmediate);
        alive();
        return await side.hold(signal);
      }
      if (fault.kind === 'error') throw new ThermidorFailure('model.api-error', 'down');
      if (fault.kind === 'overloaded') throw new ThermidorFailure('model.overloaded', 'busy', null, fault.retryAfterMs);
      if (fault.kind !== 'broken') return;
      side.count();
      throw new BrokenReply(usageOf(USAGE), 'half', new ThermidorFailure('model.api-error', 'broke off'));
    }
    return {
      adapter: modelAdapter({
        name: 'memory',
        async reply(request, signal) {
          onAsked();
          open += 1;
          try {
            const aside = !request.system.includes('# Role');
            const said = request.turns.filter(({ role }) => role === 'assistant').length;
            return await answer(side.next(aside ? 'aside' : said, askedOf(request)), request, signal);
          } finally {
            open -= 1;
          }
        },
      }),
      ...side,
      asked: () => side.asked,
      async gone() {
        while (open > 0) await new Promise(setImmediate);
      },
      close: async () => undefined,
    };
  },
};

const NONE = { inputTokens: 0, outputTokens: 0 };

function askedOf({ system, tools, turns, model, idempotencyKey: key }: ModelRequest): Asked {
  return { key, stable: JSON.stringify({ system, tools }), messages: turns.map((turn) => JSON.stringify(turn)), model };
}

function replyOf({ text = '', calls = [], usage = USAGE, stop, model }: PlayedReply, asked: string): ModelReply {
  return {
    ...{ text, usage: usageOf(usage), model: model ?? asked },
    calls: calls.map(({ tool, args }, i) => ({ id: `call-${i + 1}`, tool, args })),
    ...(stop ? { stop } : {}),
  };
}

function usageOf(usage: Pick<Usage, 'inputTokens' | 'outputTokens'>): Usage {
  return { cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null, ...usage };
}
