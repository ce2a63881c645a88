import { escalationKey } from '../../plan/agents/script';
import { ownDepth } from '../../plan/agents/spawn-depth';
import { defined, unlessEmpty } from '../../plan/defined';
import { bug } from '../../plan/run/failure';
import { ESCALATION_DECISIONS, type EscalationAnswer, type EscalationRequest } from '../../plan/steps/escalation';
import type { Step } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { field, type Json } from '../../plan/text/json';
import { quoted } from '../../plan/text/quoted';
import { shortened } from '../../plan/text/shortened';
import type { LoadedRun } from '../run/loaded-run';
import { runSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { adapterFor, loadAgent } from './agent-adapter';
import type { AgentTask } from './agent-task';
import type { AgentWork } from './agent-work';
import { renderRounds } from './escalation-rounds';
import { fenced, joinSections, renderRole, section } from './prompt/prompt';
import { furtherInputs } from './prompt/upstream-artifacts';
import { wholeInputs } from './prompt/whole-inputs';

/**
 * An agent of the escalation chain is asked to decide a matter (docs/protocol.md, 4.6 and 4.8), or to advise the person who decides. The
 * prompt has the whole history: every round with its outputs, findings and failures, and the answers of earlier agents.
 *
 * Invariants: 1. only the agent's `{decision, rationale}` decides: any other reply is requested again once, and then the next in the chain
 * is asked; 2. the prompt is bounded, however long the matter took: outputs of the newest rounds are shown in full before those of older
 * ones.
 */
export function escalationWork(toolbox: Toolbox, run: LoadedRun, step: Step, input: StepInput, request: EscalationRequest): AgentWork {
  return {
    agent: request.agent,
    asker: run.plan.owner ?? run.plan.name,
    stepId: step.id,
    scriptKey: escalationKey(step.id, request.agent),
    repairs: 1,
    depth: ownDepth(run.plan, request.agent),
    load: () => escalationTask(toolbox, run, step, request, input),
    outputName: () => `${step.id}.escalation-${request.agent}.json`,
    finish: async ({ value }) => ({ escalated: answerOf(value) }),
  };
}

/** The default if neither the agent nor its definition says. */
const TIMEOUT_MS = 15 * 60_000;
/** The limit of a rationale, which is in the run's history, and in the reviser's input. */
const RATIONALE_LIMIT = 4000;

const SCHEMA: Json = {
  type: 'object',
  required: ['decision', 'rationale'],
  properties: {
    decision: { enum: [...ESCALATION_DECISIONS] },
    rationale: { type: 'string', pattern: '\\S' },
  },
};

async function escalationTask(
  toolbox: Toolbox,
  run: LoadedRun,
  step: Step,
  request: EscalationRequest,
  { inputs, upstream, ...input }: StepInput,
): Promise<AgentTask> {
  const agent = await loadAgent(toolbox, run, request.agent);
  const whole = wholeInputs(toolbox, adapterFor(toolbox, run, agent), agent, {});
  const further = await furtherInputs(toolbox, run, { ...input, upstream: { ...inputs, ...upstream } }, whole);
  const secrets = await runSecrets(toolbox, run);
  return {
    agent,
    system: renderRole(agent, section('Answer', answerForm(request.advises))),
    prompt: joinSections([
      renderMatter(run.plan.name, step, request, await renderRounds(toolbox.artifacts, request.history, secrets)),
      further.section,
    ]),
    ...defined({ files: unlessEmpty(further.files) }),
    form: { json: true, verdict: false, schema: { digest: 'escalation-answer', value: SCHEMA } },
    timeoutMs: run.plan.agents?.[request.agent]?.timeoutMs ?? TIMEOUT_MS,
    secrets,
  };
}

function renderMatter(pipeline: string, step: Step, { reason, before, advises }: EscalationRequest, rounds: readonly string[]): string {
  const part = advises ? 'A person decides what happens next, and reads your advice first.' : 'You decide what happens next.';
  const task = `A matter of step "${step.id}" of pipeline "${pipeline}" has come up to you. ${part}`;
  const sections = [
    section('Task', `${task}\n\nReason:\n\n${quoted(reason)}`),
    rounds.length > 0 ? section('What happened', rounds.join('\n\n')) : '',
    before.length > 0 ? section('Asked before you', before.map(({ agent: who, said }) => `${who}:\n\n${quoted(said)}`).join('\n\n')) : '',
  ];
  return joinSections(sections);
}

const DECIDES = [
  '- `pass`: the work goes on as it is, whatever was found.',
  '- `revise`: the work is done once more, with your words as instructions.',
  '- `abort`: the run ends here.',
  '- `pass_on`: you do not decide; the next in the chain is asked, and at its end a person.',
];
const ADVISES = [
  '- `pass`: you advise to let the work go on as it is, whatever was found.',
  '- `revise`: you advise to do the work once more; write what should be improved.',
  '- `abort`: you advise to end the run here.',
  '- `pass_on`: you give no advice; the person decides without it.',
];

function answerForm(advises = false): string {
  return [
    'Answer with one JSON object `{"decision", "rationale"}` and nothing else: no text before or after it. `decision` is one of:',
    (advises ? ADVISES : DECIDES).join('\n'),
    `\`rationale\` says why${advises ? ', in two or three sentences for the person who decides' : ''}. It goes into the record of the run and must not be blank.`,
    `The object must satisfy this JSON Schema:\n\n${fenced(SCHEMA)}`,
  ].join('\n\n');
}

/** The answer that the schema accepted. */
function answerOf(value: Json): EscalationAnswer {
  const said = field(value, 'decision');
  const decision = ESCALATION_DECISIONS.find((word) => word === said);
  const rationale = field(value, 'rationale');
  if (!decision || typeof rationale !== 'string') throw bug('an escalation answer was accepted unchecked');
  return { decision, rationale: shortened(rationale.trim(), RATIONALE_LIMIT) };
}
