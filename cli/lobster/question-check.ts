import { existsSync } from 'node:fs';
import { locationOf, type SourceSpan, topOf } from '../../compiler/diagnostics/diagnostic';
import { readYaml, sourceText } from '../../compiler/index';
import { entryOf, type SourceNode } from '../../compiler/read/node';
import { isContainer, runsChild } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import { parseAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { everyStep, stepsWithin } from '../../plan/steps/walk';
import { canonicalText } from '../../plan/text/json-text';
import type { ArtifactStore } from '../../records/artifact-store';
import { planFromText, storedPlan } from '../pipelines/child-plans';
import type { Compiled } from '../pipelines/pipelines';
import { relativePath } from '../relative-path';
import type { Terminal } from '../terminal';
import { LobsterFailure } from './exit';
import type { PausedRun } from './paused-run';
import { compileFile, type Runnable } from './program';

/**
 * Whether the file that a run was started from still asks what the run asks. The run executes its frozen plan, so a person who has edited
 * the question, or its condition, would answer a different one than they think.
 *
 * Invariants: 1. other steps may change; 2. a file that is gone, or has the bytes of the start, asks the same; 3. nothing is sent before
 * the check, so the token stays valid.
 */
export interface AskedQuestion {
  paused: PausedRun;
  /** The plan that the run executes. */
  plan: Plan;
  store: ArtifactStore;
  terminal: Terminal;
}

/** Fails with a runtime error in Lobster's words, and tells people where the step is. */
export async function checkQuestion({ paused, plan, store, terminal }: AskedQuestion): Promise<void> {
  const { filePath, gate, asks, step } = paused;
  if (filePath === undefined || !existsSync(filePath)) return;
  const shown = relativePath(filePath, terminal.cwd);
  const { compiled, text } = readAgain(filePath, shown, terminal, paused);
  const path = parseAddress(gate)?.path.map(({ id }) => id) ?? [];
  const found = await changeOf(path, plan, compiled, store);
  if (found === undefined) return;
  const { change, names } = found;
  const what = change === 'condition' ? 'step condition' : 'step';
  const { file, line, column } = locationOf(placeOf(shown, text, names));
  throw new LobsterFailure('runtime_error', `workflow ${asks} ${what} changed since ${asks} request`, {
    located: `${file}:${line}:${column}  ${SAYS[change](step)}\n${hintFor(paused)}`,
  });
}

type Change = 'gone' | 'condition' | 'step';

const SAYS: Readonly<Record<Change, (step: string) => string>> = {
  gone: (step) => `the file has no step "${step}" here any more, and the run waits for an answer to it`,
  condition: (step) => `the condition of step "${step}" has changed since the run asked; the run decided by the earlier condition`,
  step: (step) => `step "${step}" has changed since the run asked; the run continues with the earlier step`,
};

function readAgain(filePath: string, shown: string, { colors }: Terminal, paused: PausedRun): Runnable {
  try {
    return compileFile(filePath, shown, colors.isColorSupported);
  } catch (error) {
    if (!(error instanceof LobsterFailure)) throw error;
    throw new LobsterFailure(error.type, error.message, { located: `${error.more.located ?? ''}${hintFor(paused)}` });
  }
}

/** The token stays valid, and the run itself follows its frozen plan. */
function hintFor({ asks, run, gate }: PausedRun): string {
  const answer = asks === 'input' ? `thermidor respond ${run} ${gate} --response …` : `thermidor approve ${run} ${gate}`;
  return `  hint: the token stays valid: put the file back; or answer what the run asked: ${answer}; or end it: thermidor cancel ${run}\n`;
}

interface Found {
  change: Change;
  /** The steps on the way to the one that asks, itself included, as the file calls them. */
  names: string[];
}

/** The first change, outermost first: a condition on the way to the step that asks, then that whole step. */
async function changeOf(
  path: readonly string[],
  plan: Plan,
  { plan: now, blobs }: Pick<Compiled, 'plan' | 'blobs'>,
  store: ArtifactStore,
): Promise<Found | undefined> {
  const names: string[] = [];
  let [was, is]: [Plan | undefined, Plan | undefined] = [plan, now];
  let [old, fresh]: [readonly Step[], readonly Step[]] = [plan.block.steps, now.block.steps];
  for (const [depth, id] of path.entries()) {
    const before = old.find((step) => step.id === id);
    if (before === undefined) return undefined;
    names.push(before.as ?? before.id);
    const after = fresh.find((step) => step.id === id);
    const isSame = was.source === is.source;
    const isLast = depth === path.length - 1;
    if (after === undefined) return isSame ? undefined : { change: 'gone', names };
    if (!isSame) {
      if (JSON.stringify(before.when) !== JSON.stringify(after.when)) return { change: 'condition', names };
      if (isLast && written(before) !== written(after)) return { change: 'step', names };
    }
    if (!runsChild(before)) [old, fresh] = [stepsWithin<Step>(before), stepsWithin<Step>(after)];
    else if (!isLast) {
      was = await storedPlan(store, before.plan);
      if (was === undefined) return undefined;
      is = runsChild(after) ? planFromText(blobs.get(after.plan)?.content) : undefined;
      if (is === undefined) return { change: 'gone', names };
      [old, fresh] = [was.block.steps, is.block.steps];
    }
  }
  return undefined;
}

/** A step with everything within it, except what a plan records on it for other steps. */
function written(step: Step): string {
  return canonicalText(
    [...everyStep<Step>([step])].map((one) => {
      const { reads: _, readsStdout: __, chained: ___, description: ____, ...own } = one;
      return isContainer(one) ? { ...own, branches: undefined, block: undefined } : own;
    }),
  );
}

/** The step in the file, or the last on the way to it that the file itself has. */
function placeOf(file: string, text: string, names: readonly string[]): SourceSpan {
  const source = sourceText(file, text);
  let node: SourceNode | undefined = readYaml(source, () => undefined);
  let at = topOf(source);
  for (const id of names) {
    node = node && withId(node, id);
    if (node?.kind === 'mapping') at = entryOf(node, 'id')?.value.at ?? at;
  }
  return at;
}

function withId(node: SourceNode, id: string): SourceNode | undefined {
  if (node.kind === 'scalar') return undefined;
  for (const within of node.kind === 'sequence' ? node.items : node.entries.map(({ value }) => value)) {
    const own = within.kind === 'mapping' ? entryOf(within, 'id')?.value : undefined;
    const found = own?.kind === 'scalar' && own.text === id ? within : withId(within, id);
    if (found) return found;
  }
  return undefined;
}
