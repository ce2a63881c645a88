import { SESSIONS_HISTORY } from './sessions-history';
import { SESSIONS_LIST } from './sessions-list';
import { SESSIONS_SEND } from './sessions-send';
import { SESSIONS_SPAWN } from './sessions-spawn';
import { SUBAGENTS } from './subagents';
import type { Tool } from './tool';

/** The tools that every worker has. A toolbox may bring more. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  sessions_spawn: SESSIONS_SPAWN,
  sessions_send: SESSIONS_SEND,
  sessions_list: SESSIONS_LIST,
  sessions_history: SESSIONS_HISTORY,
  subagents: SUBAGENTS,
};
