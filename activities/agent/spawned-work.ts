import { spawnKey } from '../../plan/script';
import type { SpawnedWork } from '../../plan/spawn';
import type { Step } from '../../plan/step';
import type { StepInput } from '../../plan/step-work';
import type { LoadedRun } from '../run/run-record';
import { runSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { adapterFor, loadAgent } from './agent-adapter';
import type { AgentWork } from './agent-work';
import { fenced, joined, renderRole, section } from './prompt';
import { furtherInputs } from './upstream-artifacts';
import { wholeInputs } from './whole-inputs';

/**
 * The work of a child (protocol.md point 1): an agent that knows its task, and the earlier result it is asked about, and may read what lies upstream of the step. It sees neither
 * its parent's conversation nor its siblings, and may answer in any form.
 */
export function spawnedWork(toolbox: Toolbox, run: LoadedRun, step: Step, spawn: SpawnedWork, input: StepInput): AgentWork {
  const numbers = spawnNumbers(spawn.id);
  return {
    agent: spawn.agent,
    asker: spawn.from ?? run.plan.owner ?? run.plan.name,
    stepId: step.id,
    scriptKey: spawnKey(step.id, spawn.agent),
    iterations: [...(input.loops ?? []).map(({ index }) => index), ...numbers],
    repairs: 0,
    depth: spawn.depth,
    async load() {
      const agent = await loadAgent(toolbox, run, spawn.agent);
      const previous = spawn.previous && (await toolbox.artifacts.get(spawn.previous)).toString('utf8');
      const whole = wholeInputs(toolbox, adapterFor(toolbox, run, agent), agent, {});
      const further = await furtherInputs(toolbox, run, input, whole);
      const prompt = joined([
        section('Task', spawn.task),
        previous === undefined ? '' : section('The earlier result', fenced(previous)),
        further.section,
      ]);
      const system = renderRole(agent, section('Answer', 'Answer in plain text or JSON.'));
      const timeoutMs = run.plan.agents?.[spawn.agent]?.timeoutMs;
      return {
        ...{ agent, system, prompt, form: { json: false, verdict: false } },
        secrets: await runSecrets(toolbox, run),
        ...(further.files.length > 0 ? { files: further.files } : {}),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
    },
    outputName: (json) => `${step.id}.spawn-${numbers.join('-')}.${json ? 'json' : 'md'}`,
    finish: async () => ({}),
  };
}

/** Of `<address>/spawn-2/spawn-1`: 2 and 1. */
function spawnNumbers(id: string): number[] {
  return [...id.matchAll(/\/spawn-(\d+)/g)].map(([, n]) => Number(n));
}
