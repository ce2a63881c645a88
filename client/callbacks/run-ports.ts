import { createHash } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { WEB_HOOK } from '../../plan/board/message';
import { defined } from '../../plan/defined';
import { type GateView, isGateView } from '../../plan/people/gate';
import type { GateLink } from '../../plan/people/notice';
import type { SignalName, SignalPayload } from '../../plan/run/signal';
import { actOnRun, refusalByRun } from '../act-on-run';
import { ClientProblem } from '../client-problem';
import type { ThermidorClient } from '../connect';
import { HookList } from '../hooks/hook-list';
import { loadHooks } from '../hooks/load-hooks';
import { isOpen } from '../list-runs';
import { readGates } from '../read-run';
import type { Us } from '../schedule-owner';
import { startRun } from '../start-run';
import type { CallbackPorts, GateNow } from './callback-context';

/** How many digits of a digest a run's id has. */
const SUFFIX_DIGITS = 10;

/** Starts a run for a command of a chat, sealed with the key that the workers share. */
export function startPort(client: ThermidorClient, key: Buffer): Pick<CallbackPorts, 'start'> {
  return {
    async start({ pipeline, args, by, channel, id }) {
      const suffix = createHash('sha256').update(id).digest('hex').slice(0, SUFFIX_DIGITS);
      const { run } = await startRun(client, {
        workflowId: `${pipeline}-${channel}-${suffix}`,
        pipeline,
        args,
        startedBy: by,
        service: { key, channel },
      });
      return run;
    },
  };
}

/** The web hooks of this installation, and the runs that they start. @param us is looked up each time: an installation gets its id later */
export function hookPorts(
  client: ThermidorClient,
  us: () => Promise<Us>,
  warn: (message: string) => void,
): Pick<CallbackPorts, 'hook' | 'startHooked'> {
  const list = new HookList(
    async () => loadHooks(client, await us()),
    warn,
    () => performance.now(),
  );
  return {
    hook: (path) => list.find(path),
    async startHooked({ run, hook, args }) {
      // The server refuses the id of a run that it knows; what it has forgotten is in the store.
      if (await client.ended?.read(run)) return { again: true };
      const { pipeline, script } = hook;
      try {
        await startRun(client, { workflowId: run, pipeline, args, startedBy: WEB_HOOK, ...defined({ script }) });
        return { again: false };
      } catch (error) {
        if (error instanceof ClientProblem && error.code === 'run.exists') return { again: true };
        throw error;
      }
    },
  };
}

/** The listener's questions to runs, through a client. */
export function runPorts(client: ThermidorClient): Pick<CallbackPorts, 'gateNow' | 'decide' | 'note'> {
  return {
    gateNow: (gate, limitMs) => gateNow(client, gate, limitMs),
    decide: (run, name, payload) => actOnRun(client, run, name, payload),
    note: (run, name, payload) => note(client, run, name, payload),
  };
}

async function gateNow(client: ThermidorClient, gate: GateLink, limitMs: number): Promise<GateNow> {
  let open: GateView[];
  try {
    // A terminated run still answers as it did before.
    const { status } = await client.call(() => client.temporal.workflow.getHandle(gate.run).describe(), limitMs);
    if (!isOpen(status.name)) return { kind: 'closed' };
    open = (await readGates(client, gate.run, limitMs)).filter(isGateView);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'closed' };
    if (!(error instanceof ClientProblem)) throw error;
    return { kind: error.code === 'run.not-found' ? 'closed' : 'unknown' };
  }
  const view = open.find(({ step, shownSha256 }) => step === gate.step && shownSha256 === gate.shownSha256);
  return view === undefined ? { kind: 'closed' } : { kind: 'open', view };
}

async function note(client: ThermidorClient, run: string, name: SignalName, payload: SignalPayload): Promise<void> {
  try {
    await client.call(() => client.temporal.workflow.getHandle(run).signal(name, payload));
  } catch (error) {
    throw refusalByRun(error, run, name) ?? error;
  }
}
