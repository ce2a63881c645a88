import { spawnKey } from '../../../plan/agents/script';
import type { SpawnedWork } from '../../../plan/agents/spawned-agent';
import { DEFAULT_REPAIRS } from '../../../plan/budgets/request-limits';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { Step } from '../../../plan/steps/step';
import type { StepInput } from '../../../plan/steps/step-activity';
import type { LoadedRun } from '../../run/loaded-run';
import { runSecrets } from '../../run/run-secrets';
import type { Toolbox } from '../../toolbox';
import { shownMessage } from '../../tools/sessions/message';
import { adapterFor, loadAgent } from '../agent-adapter';
import type { AgentWork } from '../agent-work';
import { answerForm, answerInWords } from '../prompt/answer-form';
import { fenced, joinSections, renderNote, renderRole, section } from '../prompt/prompt';
import { teamMemory } from '../prompt/team-memory';
import { furtherInputs } from '../prompt/upstream-artifacts';
import { wholeInputs } from '../prompt/whole-inputs';

/**
 * The work of a child (docs/protocol.md, 4.2): an agent that knows its task, its team's memory, and the earlier result it is asked about,
 * and may read what is upstream of the step. It sees neither its parent's conversation nor its siblings, and answers in the requested
 * schema, its own, or as a report.
 */
export function spawnedWork(toolbox: Toolbox, run: LoadedRun, step: Step, spawn: SpawnedWork, input: StepInput): AgentWork {
  const numbers = spawnNumbers(spawn.id);
  return {
    agent: spawn.agent,
    asker: spawn.from ?? run.plan.owner ?? run.plan.name,
    stepId: step.id,
    scriptKey: spawnKey(step.id, spawn.agent),
    repairs: DEFAULT_REPAIRS,
    depth: spawn.depth,
    ...defined({ try: spawn.try }),
    async load() {
      const agent = await loadAgent(toolbox, run, spawn.agent);
      const previous = spawn.previous && (await toolbox.artifacts.get(spawn.previous)).toString('utf8');
      const refused = spawn.note?.previous && (await toolbox.artifacts.get(spawn.note.previous)).toString('utf8');
      const whole = wholeInputs(toolbox, adapterFor(toolbox, run, agent), agent, {});
      const further = await furtherInputs(toolbox, run, input, whole);
      const { section: memory, ...noted } = await teamMemory(toolbox, run, agent);
      const prompt = joinSections([
        section('Task', shownMessage(spawn.task)),
        spawn.lacks?.length ? section('What is missing', `missing_fields: ${JSON.stringify(spawn.lacks)}`) : '',
        previous === undefined ? '' : section('The earlier result', fenced(previous)),
        further.section,
        memory,
        renderNote(spawn.note && { ...spawn.note, ...defined({ previousText: refused }) }),
      ]);
      const form = await answerForm(toolbox.artifacts, agent, spawn.schema);
      const system = renderRole(agent, section('Answer', answerInWords(form.schema.value)));
      const timeoutMs = run.plan.agents?.[spawn.agent]?.timeoutMs;
      return {
        ...{ agent, system, prompt, form },
        secrets: await runSecrets(toolbox, run),
        ...defined({ files: unlessEmpty(further.files), timeoutMs }),
        ...noted,
      };
    },
    outputName: () => `${step.id}.spawn-${numbers.join('-')}.json`,
    finish: async () => ({}),
  };
}

/** For `<address>/spawn-2/spawn-1`: 2 and 1. Empty if the call is no child's. */
export function spawnNumbers(id: string): number[] {
  return [...id.matchAll(/\/spawn-(\d+)/g)].map(([, n]) => Number(n));
}
