import type { Script } from '../../plan/agents/script';
import type { Plan } from '../../plan/plan';
import type { ControlRef } from '../../plan/run/artifact';
import type { ScheduledFor } from '../../plan/run/run-input';
import type { RunView } from '../../plan/run/status';
import type { Records } from '../../records/records';
import { RUN_RECORD, type RunRecord, readRunRecord } from '../../records/runs/run-record';
import { readStoredScript } from '../../worker/script-files';
import { CommandFailure, EXIT } from '../exit';
import { planFromText, runPlanText } from '../pipelines/child-plans';
import { findPipeline, loadScript } from '../pipelines/pipelines';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';

/** How the earlier run was started: a rerun has the same frozen plan, and the same script unless another is named. */
export async function planOfRun(view: RunView, stores: Records): Promise<{ plan: Plan; ref: ControlRef<'plan'> }> {
  const text = view.plan && (await runPlanText(stores, view.plan));
  const plan = planFromText(text);
  // Stored again: it may be gone by the time the new run reads it.
  if (plan !== undefined && text !== undefined) return { plan, ref: await stores.control.put('plan', text, `${plan.name}.plan.json`) };
  const why = view.plan === undefined ? 'it never opened' : 'its plan is not in the store';
  throw new CommandFailure(EXIT.failed, 'rerun.impossible', `${view.run} cannot be rerun: ${why}`, {
    hint: `start a new one: thermidor run ${view.pipeline}`,
  });
}

export interface RerunScript {
  ref: ControlRef<'script'>;
  script?: Script;
}

/** `named`: another script, by its name next to the pipeline's file. */
export async function scriptOfRun(
  view: RunView,
  named: string | undefined,
  plan: Plan,
  stores: Records,
  { configuration, terminal }: { configuration: Configuration; terminal: Pick<Terminal, 'cwd'> },
): Promise<RerunScript | undefined> {
  if (named !== undefined) {
    const { text, script } = loadScript(findPipeline(view.pipeline, configuration, terminal.cwd), named, plan);
    return { ref: await stores.control.put('script', text, `${script.name}.script.json`), script };
  }
  if (view.script === undefined) return undefined;
  const ref = await recordedScript(view, configuration);
  if (ref === undefined) {
    throw new CommandFailure(EXIT.usage, 'rerun.script', `the script "${view.script}" of ${view.run} is not in this store`, {
      hint: 'name one with --script, or ask real models with --live',
    });
  }
  const text = (await stores.control.get(ref)).toString('utf8');
  return { ref: await stores.control.put('script', text, `${view.script}.script.json`), script: readStoredScript(view.script, text) };
}

/** Whether different answers replace the agents than in the earlier run: another script, a new one, or none any more. */
export async function isOtherScript(view: RunView, script: RerunScript | undefined, configuration: Configuration): Promise<boolean> {
  if (view.script === undefined || script === undefined) return (view.script === undefined) !== (script === undefined);
  return (await recordedScript(view, configuration))?.sha256 !== script.ref.sha256;
}

async function recordedScript(view: RunView, configuration: Configuration): Promise<ControlRef<'script'> | undefined> {
  return (await recordOf(view, configuration))?.script?.ref;
}

/** The moment that the earlier run was for, which its carried steps may have read. */
export async function scheduledOf(view: RunView, configuration: Configuration): Promise<ScheduledFor | undefined> {
  return (await recordOf(view, configuration))?.scheduled;
}

async function recordOf(view: RunView, configuration: Configuration): Promise<RunRecord | undefined> {
  const key = { workflowId: view.run, run: view.firstRunId };
  const record = await recordsOf(configuration).ledger.get(key, RUN_RECORD);
  return record === undefined ? undefined : readRunRecord(record);
}
