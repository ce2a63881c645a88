import { type AgentAdapter, modelAdapter } from '../../worker';
import { askHouse, type House } from './house';

/** The same by the short way: the loop, limits, budgets, tools and long contexts are those of every service. */
export function houseService(house: House): AgentAdapter {
  return modelAdapter({
    name: 'house',
    async reply({ maxTokens = 16_000, ...request }, signal) {
      const { calls, ...reply } = await askHouse(house, { ...request, maxTokens }, signal);
      // A call without an id gets one.
      return { ...reply, calls: calls.map((call) => ({ id: '', ...call })) };
    },
  });
}
