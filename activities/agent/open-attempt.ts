import { resolve } from 'node:path';
import { AMOUNTS } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { type ActivityCall, requireAddress } from '../activity-call';
import { openStepLog } from '../logs/step-log';
import { stepAt } from '../run/load-run';
import { openAgentItems } from '../streams/agent-items';
import type { Toolbox } from '../toolbox';
import { agentTools } from '../tools/agent-tools';
import { openTalks } from '../tools/sessions/ask-agent';
import type { WorkTree } from '../worktrees/in-worktree';
import { openPauseRequests } from './agent-paused';
import type { AttemptScope } from './agent-session';
import type { AgentTask } from './agent-task';
import type { AgentWork } from './agent-work';
import { openBudgetMeter } from './budget/budget-meter';
import { folderAddress } from './moved-folder';
import type { Transcript } from './transcript';

/** The shared state of a try, from its start: usage of its earlier calls counts. */
export async function openAttempt(
  around: Pick<AttemptScope, 'toolbox' | 'call' | 'run' | 'input' | 'broken' | 'tree'>,
  work: AgentWork,
  task: AgentTask,
  transcript: Transcript,
): Promise<AttemptScope> {
  const { toolbox, call, input, tree } = around;
  const address = requireAddress(call);
  const pauses = openPauseRequests();
  const transcripts = new Map([[call.id, transcript]]);
  const turns = () => [...transcripts.values()].flatMap((one) => one.turns());
  const lost = () => {
    const sum = { tokens: 0, costMicroUsd: 0 };
    for (const one of [...transcripts.values()].flatMap((transcript) => transcript.unsettled()))
      for (const kind of AMOUNTS) sum[kind] += one[kind] ?? 0;
    return sum;
  };
  const items = await openAgentItems(toolbox, call, stepAt(around.run, address), input);
  let folder: Promise<string> | undefined;
  const scope: AttemptScope = {
    ...around,
    address,
    stepId: work.stepId,
    folder() {
      folder ??= tree
        ? tree.folderFor(task.cwd)
        : (toolbox.workFolder?.(call.key.workflowId, folderAddress(around.run, address), task.cwd) ??
          Promise.resolve(resolve(task.cwd ?? '.')));
      return folder;
    },
    pushCommits: pushCommits(toolbox, call, tree),
    secrets: task.secrets,
    log: openStepLog(toolbox, call, task.secrets, work.member && { member: work.member.name, ...defined({ task: work.member.task }) }),
    meter: openBudgetMeter({ limits: input.budget ?? {}, prices: toolbox.prices, pauses, turns, lost }),
    pauses,
    ...defined({ items, member: work.member }),
    transcripts,
    accounts: new Map(),
    toolsFor: (session, ask, signal) => agentTools(scope, session, ask, signal),
  };
  await openTalks(scope, transcript, work.agent);
  return scope;
}

/**
 * Pushes an agent's new commits in its worktree; must be called after each turn. A failed push is repeated with the next commit, or at the
 * end of the try; only the loss of the worktree ends the try.
 */
function pushCommits({ workHead, log }: Toolbox, { id }: ActivityCall, tree: WorkTree | undefined): () => Promise<void> {
  if (!tree || !workHead) return () => Promise.resolve();
  let pushed: Promise<string | undefined> = workHead(tree.folder);
  return async () => {
    const before = await pushed;
    const head = await workHead(tree.folder);
    if (head === undefined || head === before) return;
    try {
      await tree.push();
      pushed = Promise.resolve(head);
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || error.code === 'worktree.lost') throw error;
      log('warn', 'commits of an agent are not pushed yet', { call: id, problem: error.message });
    }
  };
}
