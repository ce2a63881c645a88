import { GroupProcessRunner } from '../../../activities/adapters/processes/process-runner';
import { stages } from '../../../activities/stages/stages-activity';
import type { Toolbox } from '../../../activities/toolbox';
import type { Plan } from '../../../plan/plan';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { KnownStage, Stage, StageName } from '../../../plan/stages/stage';
import type { StagesInput, StagesOutput } from '../../../plan/steps/container-activities';
import type { StagesStep } from '../../../plan/steps/step';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { CallerEnvironment } from '../../../records/caller-environments';
import { KEY, type Workshop, workshop } from '../workshop';

/** A step that is a pipe of stages, run by its activity. */

export const ADDRESS = 'pipe#1~1';

export function shop(caller: CallerEnvironment = { env: { PATH: process.env['PATH'] ?? '' } }, more: Partial<Toolbox> = {}): Workshop {
  const environments = { callerOf: async () => caller, inherit: async () => undefined };
  return workshop({ processes: new GroupProcessRunner(), environments, ...more });
}

/** A stage as the compiler makes it; words and flags are templates. */
export function stage(
  name: StageName,
  words: KnownStage['words'][number][number][],
  flags: Record<string, string | true> = {},
): KnownStage {
  const given = Object.entries(flags).map(([flag, value]) => [flag, value === true ? [] : [value]] as const);
  return { name, words: words.map((word) => [word]), flags: Object.fromEntries(given) };
}

export function step(pipe: Stage[], more: Partial<StagesStep> = {}): StagesStep {
  return { id: 'pipe', kind: 'stages', stages: pipe, ...more };
}

export const LOBSTER: Partial<Plan> & { args?: never } = { dialect: 'lobster' };

export async function run(at: Workshop, what: StagesStep, input: Partial<StagesInput> = {}, plan = LOBSTER): Promise<StagesOutput> {
  await at.open([what], plan);
  return await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run, ...input });
}

export async function done(at: Workshop, what: StagesStep, input: Partial<StagesInput> = {}): Promise<StepOutput> {
  const output = await run(at, what, input);
  if (output.kind !== 'done') throw new Error(`stage ${output.stage} asked`);
  return output.output;
}

export async function stored(at: Workshop, ref: ArtifactRef | undefined): Promise<{ content: string; stdout: string }> {
  if (!ref) throw new Error('no artifact');
  const content = (await at.artifacts.get(ref)).toString();
  return { content, stdout: ref.stdout === undefined ? content : (await at.artifacts.get({ sha256: ref.stdout })).toString() };
}

export const print = (text: string, flags: Record<string, string | true> = {}) => stage('exec', ['printf', '%s', text], flags);
