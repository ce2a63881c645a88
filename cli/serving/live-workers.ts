import type { AdapterSpec, ToolServerSpec } from '../../plan/agents/adapter';
import { peekServer } from '../embedded/peek-server';
import type { Configuration } from '../settings/configuration';
import type { Terminal } from '../terminal';
import type { MissingRequirement } from './agent-requirements';
import type { AgentCheck } from './unserved-agents';
import { readWorkerLeaseNote, settingsDigest, type WorkerLeaseNote } from './worker-lease-note';

/** Another process that works on the runs of this folder, on the embedded server. */
export interface LiveWorkers {
  pid: number;
  /** The note that it left. */
  note: WorkerLeaseNote | undefined;
}

/** None for a configured server, whose workers are unknown here. */
export async function liveWorkers({ address, stateDir }: Configuration): Promise<LiveWorkers[]> {
  if (address.value !== undefined) return [];
  const { running, leases } = await peekServer(stateDir.value);
  if (!running) return [];
  const others = leases.filter(({ alive, role, pid }) => alive && role === 'worker' && pid !== process.pid);
  return others.map(({ pid, about }) => ({ pid, note: readWorkerLeaseNote(about) }));
}

/** Processes that have other settings than those of now, in a line each. */
export async function oldSettings(configuration: Configuration): Promise<string[]> {
  const digest = settingsDigest(configuration);
  const old = (await liveWorkers(configuration)).filter(({ note }) => note !== undefined && note.settings !== digest);
  return old.map(({ pid }) => `process ${pid} serves this folder with outdated settings: it read them when it started`);
}

export const RESTART_HINT = 'restart it to read the current ones';

export async function warnOldSettings(configuration: Configuration, { err, colors }: Terminal): Promise<void> {
  for (const line of await oldSettings(configuration)) err(`${colors.yellow('!')} ${line}; ${RESTART_HINT}\n`);
}

/**
 * What all live workers lack. A program or a file may have appeared since they began, so it counts only if this process does not find it
 * either.
 */
export function askLiveWorkers(serving: readonly { pid: number; note: WorkerLeaseNote }[], here: AgentCheck): AgentCheck {
  const lackedBy = (of: 'adapters' | 'toolServers', name: string): MissingRequirement | undefined => {
    const found = serving.map(({ pid, note }) => ({ pid, lacks: Object.hasOwn(note[of], name) ? note[of][name] : undefined }));
    const [first] = found;
    if (!first?.lacks || found.some(({ lacks }) => !lacks)) return undefined;
    return {
      ...first.lacks,
      says: `process ${first.pid} serves this folder but cannot run them; fix this and restart it: ${first.lacks.says}`,
    };
  };
  return {
    async adapter(name, spec) {
      const lacking = lackedBy('adapters', name);
      return lacking && mayHaveCome(lacking, spec) && !(await here.adapter(name, spec)) ? undefined : lacking;
    },
    async toolServer(name, spec) {
      const lacking = lackedBy('toolServers', name);
      return lacking && mayHaveCome(lacking, spec) && !(await here.toolServer(name, spec)) ? undefined : lacking;
    },
  };
}

function mayHaveCome({ code }: MissingRequirement, spec: AdapterSpec | ToolServerSpec): boolean {
  return code !== 'secret.missing' || JSON.stringify(spec).includes('secret://file/');
}
