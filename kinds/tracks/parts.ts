import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { partBase, partOutput, partPrompt } from '../../compiler/lower/parts/part-steps';
import { renderedBy } from '../../compiler/lower/references';
import type { StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { TracksStep } from '../../plan/steps/step';
import type { OutputSpec, StepBase } from '../../plan/steps/step-base';
import { INTEGRATION_PART, type SyncSpec, type TrackSpec } from './model';
import { checkPrompt, phasePrompt } from './prompts';
import { ALIGNMENT_SCHEMA, TRACK_SIDES, type TrackSide } from './rules/alignment';
import { type PhaseSource, phasesOf, pointsOf, type TracksSource } from './written';

type Part = TracksStep['parts'][number];

export interface Assembly extends Record<TrackSide, TrackSpec> {
  sync: SyncSpec[];
}

/** The parts of the step: its phases, the check at each point, and the test of both together. */
export function partsOf(work: TracksSource, tracks: Assembly, here: StepContext): Part[] {
  const phases = TRACK_SIDES.flatMap((side) => phasesOf(work, side).map((phase) => phasePart(phase, tracks, side, here)));
  const checks = tracks.sync.map((point, i) => checkPart(here.template(pointsOf(work)[i]?.check?.prompt), tracks, point, here));
  return [...phases, ...checks, ...integration(work, here)];
}

function phasePart({ id, prompt, timeoutMs, ...written }: PhaseSource, tracks: Assembly, side: TrackSide, here: StepContext): Part {
  const part = id.value;
  const wanted = here.template(prompt) ?? [];
  return {
    ...{ ...partBase(here, part), kind: 'agent', agent: tracks[side].agent },
    ...readBy(wanted, here),
    prompt: partPrompt(here, part, phasePrompt(wanted, tracks, side, part)),
    ...defined({ timeoutMs, output: outputOf(part, written, here), cwd: here.context.cwd }),
  };
}

function checkPart(wanted: Template | undefined, tracks: Assembly, point: SyncSpec, here: StepContext): Part {
  return {
    ...{ ...partBase(here, point.id), kind: 'agent', agent: point.by },
    ...readBy(wanted ?? [], here),
    prompt: partPrompt(here, point.id, checkPrompt(wanted, tracks, point)),
    output: answerOutput('Alignment', ALIGNMENT_SCHEMA, here),
    ...defined({ cwd: here.context.cwd }),
  };
}

function integration(work: TracksSource, here: StepContext): Part[] {
  const { context } = here;
  const shell = here.template(work.integration, { shell: true, environment: new Set(context.env.keys()) });
  if (!shell) return [];
  const env = context.env.size > 0 ? Object.fromEntries(context.env) : undefined;
  return [
    {
      ...{ ...partBase(here, INTEGRATION_PART), kind: 'command', command: { shell } },
      ...readBy(shell, here),
      ...defined({ cwd: context.cwd, env }),
    },
  ];
}

/** What a part renders of other steps. */
function readBy(template: Template, { context, place }: StepContext): Pick<StepBase, 'inputs' | 'records'> {
  const { inputs, records } = renderedBy([template], (name) => context.variable(name, place));
  return defined({ inputs: inputs.size > 0 ? [...inputs] : undefined, records: records.length > 0 ? records : undefined });
}

/** The name that a phase gives its output, with the schema that this has. */
function outputOf(part: string, written: Pick<PhaseSource, 'output' | 'schema'>, here: StepContext): OutputSpec | undefined {
  const { context } = here;
  const { output: name, schema } = written;
  if (!name && !schema) return undefined;
  const found = context.schemas.of(written);
  const called = name?.value ?? `${part}.json`;
  if (found) return 'json' in found ? partOutput(here, called.replace(/\.json$/, ''), found.json) : undefined;
  if (name && called.endsWith('.json')) context.schemas.missing(name);
  return { name: called };
}
