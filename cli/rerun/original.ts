import type { ArtifactStore } from '../../activities/ports';
import { RUN_RECORD, readRunRecord } from '../../activities/run/run-record';
import type { ArtifactRef } from '../../plan/artifact';
import type { Plan } from '../../plan/plan';
import type { Script } from '../../plan/script';
import type { RunView } from '../../plan/status';
import { CommandFailure, EXIT } from '../exit';
import { storedPlan } from '../pipelines/child-plans';
import { findPipeline, loadScript } from '../pipelines/pipelines';
import type { Configuration } from '../settings/configuration';
import { openLedger } from '../store';
import type { Terminal } from '../terminal';

/** What the run before it was started with: a rerun has the same frozen plan, and the same script unless another is named. */
export async function planOfRun(view: RunView, store: ArtifactStore): Promise<{ plan: Plan; ref: ArtifactRef }> {
  const plan = view.plan === undefined ? undefined : await storedPlan(store, view.plan.sha256);
  if (plan !== undefined && view.plan !== undefined) return { plan, ref: view.plan };
  const why = view.plan === undefined ? 'it never opened' : 'its plan is not in the store';
  throw new CommandFailure(EXIT.failed, 'rerun.impossible', `${view.run} cannot be rerun: ${why}`, {
    hint: `start a new one: thermidor run ${view.pipeline}`,
  });
}

export interface RerunScript {
  ref: ArtifactRef;
  script?: Script;
}

/** `named`: another script, by its name beside the pipeline's file. */
export async function scriptOfRun(
  view: RunView,
  named: string | undefined,
  plan: Plan,
  store: ArtifactStore,
  { configuration, terminal }: { configuration: Configuration; terminal: Pick<Terminal, 'cwd'> },
): Promise<RerunScript | undefined> {
  if (named !== undefined) {
    const { text, script } = loadScript(findPipeline(view.pipeline, configuration, terminal.cwd), named, plan);
    return { ref: await store.put(text, { mediaType: 'application/json', name: `${script.name}.script.json` }), script };
  }
  if (view.script === undefined) return undefined;
  const key = { workflowId: view.run, run: view.firstRunId };
  const record = await openLedger(configuration.stateDir.value).get(key, RUN_RECORD);
  const ref = record === undefined ? undefined : readRunRecord(record).script?.ref;
  if (ref === undefined) {
    throw new CommandFailure(EXIT.usage, 'rerun.script', `the script "${view.script}" of ${view.run} is not in this state folder`, {
      hint: 'name one with --script, or ask real models with --live',
    });
  }
  const { readStoredScript } = require('../../worker/script-files') as typeof import('../../worker/script-files');
  return { ref, script: readStoredScript(view.script, (await store.get(ref)).toString('utf8')) };
}
