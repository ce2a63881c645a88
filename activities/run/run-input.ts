import { readProof } from '../../plan/people/proof';
import { type ControlRef, readControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ParentRun, RunInput } from '../../plan/run/run-input';
import { isUndecodable } from '../../plan/run/signal';
import { parseAddress } from '../../plan/steps/address';
import { isJsonObject, type Json } from '../../plan/text/json';

type ReferenceKey = { [K in keyof RunInput]-?: Extract<RunInput[K], ControlRef> extends never ? never : K }[keyof RunInput];

/** The keys that refer to content, and the required kind of each. */
export const REFERENCES = {
  script: 'script',
  plan: 'plan',
  resume: 'snapshot',
  carried: 'carry',
} as const satisfies { [K in ReferenceKey]: Extract<RunInput[K], ControlRef>['kind'] };

export const INPUT_KEYS = [
  'pipeline',
  'args',
  'script',
  'plan',
  'resume',
  'startedBy',
  'proof',
  'parent',
  'carried',
  'postMortem',
] as const;
/** Keys that a child's input may not have: only its parent's ledger sets them. */
const BESIDE_PARENT: readonly string[] = INPUT_KEYS.filter((key) => key !== 'parent');

/** The readable part: its ledger says whether a parent really is one. */
export type ReadInput = Omit<RunInput, 'parent'> & { parent?: Required<Omit<ParentRun, 'parent'>> };

/**
 * Reads a workflow's input, which anyone may have typed: nothing, null and "" are `{}`. Fails with `input.invalid` and lists
 * every mistake.
 */
export function readRunInput(input: unknown): ReadInput {
  if (input === undefined || input === null || input === '') return {};
  if (isUndecodable(input)) throw invalidInput([`it is in encoding "${input.encoding}", which cannot be decoded`]);
  if (!isJsonObject(input)) throw invalidInput([`it must be an object such as {"args": {}}, not ${JSON.stringify(input)}`]);
  const { pipeline, args, script, plan, resume, startedBy, proof, parent, carried, postMortem } = input;
  const unknown = Object.keys(input).filter((key) => !(INPUT_KEYS as readonly string[]).includes(key));
  const problems = unknown.map((key) => `unknown key "${key}"; known: ${INPUT_KEYS.join(', ')}`);
  const read: ReadInput = {};
  if (typeof pipeline === 'string') read.pipeline = pipeline;
  else if (isGiven(pipeline)) problems.push('"pipeline" must be the name of a pipeline');
  if (isJsonObject(args)) read.args = args;
  else if (isGiven(args)) problems.push('"args" must be an object');
  const scriptRef = readControlRef(script, REFERENCES.script);
  if (typeof script === 'string') read.script = script;
  else if (scriptRef) read.script = scriptRef;
  else if (isGiven(script)) problems.push(`"script" must be the name of a script, or ${reference('script')}`);
  const planRef = readControlRef(plan, REFERENCES.plan);
  if (planRef) read.plan = planRef;
  else if (isGiven(plan)) problems.push(`"plan" must be ${reference('plan')}`);
  const resumeRef = readControlRef(resume, REFERENCES.resume);
  if (resumeRef) read.resume = resumeRef;
  else if (isGiven(resume)) problems.push(`"resume" must be ${reference('resume')}`);
  if (isName(startedBy)) read.startedBy = startedBy;
  else if (isGiven(startedBy)) problems.push(`"startedBy" must be a name of at most ${LONGEST_NAME} characters that can be seen`);
  const startProof = readProof(proof);
  if (startProof) read.proof = startProof;
  else if (isGiven(proof)) problems.push('"proof" must be {"channel", "at", "mac"}');
  const parentRun = readParent(parent);
  if (parentRun) read.parent = parentRun;
  else if (isGiven(parent)) problems.push('"parent" must be {"workflowId", "run", "step"}, with the address of a step');
  for (const key of parentRun ? BESIDE_PARENT : []) {
    if (isGiven(input[key]))
      problems.push(`"${key}" is not accepted together with "parent": the input of a child is in its parent's ledger`);
  }
  const carriedRef = readControlRef(carried, REFERENCES.carried);
  if (carriedRef) read.carried = carriedRef;
  else if (isGiven(carried)) problems.push(`"carried" must be ${reference('carried')}`);
  if (postMortem === true) read.postMortem = postMortem;
  else if (isGiven(postMortem)) problems.push('"postMortem" must be true, or absent');
  if (problems.length > 0) throw invalidInput(problems);
  return read;
}

/** The same limit as for a name in a decision. */
export const LONGEST_NAME = 200;
/** Names are shown to people: none may control a terminal, break a line or turn the direction of writing. */
export const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME && !UNSEEN.test(value);
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

function reference(key: ReferenceKey): string {
  return `a reference {"kind": "${REFERENCES[key]}", "sha256", "sizeBytes", "mediaType"} to what thermidor has stored as one`;
}

function readParent(value: Json | undefined): ReadInput['parent'] {
  if (!isJsonObject(value)) return undefined;
  const { workflowId, run, step } = value;
  if (typeof workflowId !== 'string' || workflowId === '' || typeof run !== 'string' || run === '') return undefined;
  return typeof step === 'string' && parseAddress(step) ? { workflowId, run, step } : undefined;
}

export function invalidInput(problems: string[]): ThermidorFailure {
  return new ThermidorFailure('input.invalid', `the workflow's input is not a RunInput: ${problems.join('; ')}`, { problems });
}
