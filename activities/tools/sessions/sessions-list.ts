import { answer, type Tool } from '../tool';
import { sessionsBarred } from './sessions-spawn';

/** Children and conversations of this agent, and the agents it may call. Nobody sees another's. */
export const SESSIONS_LIST: Tool = {
  description: 'Lists the agents you can call, the children you have spawned and the agents you have talked to.',
  parameters: { type: 'object', additionalProperties: false },
  barred: sessionsBarred,
  call: async (_, { sessions, caller }) => answer({ agents: [...caller.agents], sessions: await sessions.list() }),
};
