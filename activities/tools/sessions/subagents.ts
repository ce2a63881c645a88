import { answer, type Tool } from '../tool';
import { spawnBarred } from './sessions-spawn';

/** The children of this agent, and how many more there may be. */
export const SUBAGENTS: Tool = {
  description: 'Lists the children you have spawned with their results, and how many more you may spawn.',
  parameters: { type: 'object', additionalProperties: false },
  barred: spawnBarred,
  call: async (_, { sessions }) =>
    answer({ children: (await sessions.list()).filter(({ kind }) => kind === 'spawn'), left: sessions.childrenLeft() }),
};
