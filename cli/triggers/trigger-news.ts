import { type TriggerState, triggerStates } from '../../client/apply-schedules';
import { ClientProblem } from '../../client/client-problem';
import type { WantedSchedule } from '../../client/schedule-options';
import { defined } from '../../plan/defined';
import { type Plan, triggersOf } from '../../plan/plan';
import { PipelineIndex } from '../../worker/pipeline-index';
import { CommandFailure } from '../exit';
import { compilerInstallation } from '../pipelines/installation';
import { compile, readPipeline } from '../pipelines/pipelines';
import type { Session } from '../session/session';
import type { Configuration } from '../settings/configuration';
import type { Terminal } from '../terminal';
import { usHere } from './us';

/** What people should know of triggers: only a schedule on the server starts runs, never the file itself. */

/**
 * The schedules that the pipelines of the folders want. A file that does not compile, or cannot be read, wants none: others report that.
 */
export function wantedTriggers(configuration: Configuration, cwd: string): WantedSchedule[] {
  const names = new PipelineIndex(configuration.pipelines.value).files();
  const installation = compilerInstallation(configuration);
  return [...names]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([, [path]]) => {
      const plan = path === undefined ? undefined : planOf(path);
      return plan ? triggersIn(plan) : [];
    });

  function planOf(path: string): Plan | undefined {
    try {
      return compile(readPipeline(path, cwd), { installation }).plan;
    } catch (error) {
      if (error instanceof CommandFailure) return undefined;
      throw error;
    }
  }
}

export function triggersIn(plan: Plan): WantedSchedule[] {
  const { name: pipeline, args, context } = plan;
  return triggersOf(plan).map((trigger) => ({
    ...{ pipeline, trigger },
    ...(trigger.kind === 'webhook' ? { takes: defined({ args, context }) } : {}),
  }));
}

/** How triggers relate to the schedules on the server. */
export async function triggersHere(
  session: Pick<Session, 'client' | 'configuration'>,
  wanted: readonly WantedSchedule[],
): Promise<TriggerState[]> {
  return wanted.length === 0 ? [] : await triggerStates(session.client, await usHere(session), wanted);
}

/** The triggers that differ from the schedules on the server. */
export async function staleTriggers(
  session: Pick<Session, 'client' | 'configuration'>,
  wanted: readonly WantedSchedule[],
): Promise<TriggerState[]> {
  return (await triggersHere(session, wanted)).filter(({ state }) => state !== 'applied');
}

/** A sentence for each; `applyHint` says what to do about it. */
export function describeTrigger({ pipeline, schedule, state }: TriggerState): string {
  switch (state) {
    case 'not-applied':
      return `the trigger of ${schedule} is not applied: nothing starts it`;
    case 'differs':
      return `the trigger of ${schedule} differs from its schedule: the server starts it by the earlier one`;
    case 'of-others':
      return `the schedule "${schedule}" belongs to another installation: its trigger starts nothing of ${pipeline} here`;
    case 'applied':
      return `the trigger of ${schedule} is applied`;
  }
}

export const APPLY_HINT = 'thermidor schedule apply';

export function printStale(stale: readonly TriggerState[], { err, colors }: Terminal): void {
  for (const one of stale) err(`${colors.yellow('!')} ${describeTrigger(one)}\n`);
  if (stale.length > 0) err(`  ${colors.dim(APPLY_HINT)}\n`);
}

/** Warns a process that begins to serve a folder. If the server does not answer, it serves anyway. */
export async function warnStaleTriggers(session: Pick<Session, 'client' | 'configuration'>, terminal: Terminal): Promise<void> {
  try {
    printStale(await staleTriggers(session, wantedTriggers(session.configuration, terminal.cwd)), terminal);
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    terminal.err(`${terminal.colors.yellow('!')} nobody knows whether triggers are applied: ${error.message}\n`);
  }
}
