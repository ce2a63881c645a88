import type { SourceSpan } from '../../compiler/diagnostics/diagnostic';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { partOfMember } from '../../compiler/lower/parts/members';
import { checkPartIds, partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import { besideFile } from '../../compiler/sources';
import { defined } from '../../plan/defined';
import type { PostMortemStep } from '../../plan/steps/step';
import { RETROSPECTIVE_PROMPT } from './prompts';
import { RETROSPECTIVE_SCHEMA } from './rules/answer';
import { RETROSPECTIVE_MS } from './rules/spec';

type PostMortemSource = WorkOf<'post_mortem'>;

export const POST_MORTEM_LOWERING: KindLowering<PostMortemSource> = {
  lower: postMortemStep,
  output: () => REPORT,
};

const REPORT: OutputShape = {
  kind: 'fields',
  fields: new Map(
    [
      ...['team', 'timestamp', 'execution_summary', 'what_went_well', 'what_was_difficult', 'improvement_actions'],
      ...['reusable_patterns', 'recommendations', 'root_causes', 'confirmed', 'sources', 'partial', 'kept'],
    ].map((name) => [name, OPEN]),
  ),
};

function postMortemStep(work: PostMortemSource, here: StepContext): LoweredStep | undefined {
  const { base, context } = here;
  const asked = agentsOf(work, here);
  checkPartIds(
    here,
    asked.map(({ agent, part, at }) => ({ part, called: `the retrospective of ${agent}`, ...(at ? { at } : {}) })),
  );
  checkFiles(work, here);
  const step: PostMortemStep = {
    ...base,
    kind: 'post_mortem',
    occasion: work.when ?? 'always',
    asked: asked.map(({ agent, part }) => ({ agent, part })),
    ...(work.by ? {} : { takers: true }),
    timeoutMs: base.timeoutMs ?? RETROSPECTIVE_MS,
    files: defined({
      write: work.write?.value,
      memory: work.memory?.value ?? context.pipeline.memory?.file.value,
      guidelines: work.guidelines?.value,
    }),
    parts: asked.map(({ agent, part }) => ({
      ...{ ...partBase(here, part), kind: 'agent', agent },
      prompt: partPrompt(here, part, RETROSPECTIVE_PROMPT),
      output: answerOutput('Retrospective', RETROSPECTIVE_SCHEMA, here),
    })),
  };
  return { step };
}

interface Asked {
  agent: string;
  part: string;
  at?: SourceSpan;
}

/** It is lowered last, so every agent that has work is named by then. */
function agentsOf({ by }: PostMortemSource, here: StepContext): Asked[] {
  const { context } = here;
  if (!by) return [...context.namedAgents].map((agent) => ({ agent, part: partOfMember({ name: agent }) }));
  return by.flatMap((name) => {
    const { value: agent, at } = name;
    const isThere = context.agents.isAdded(agent) || namedAgent(name, here) !== undefined;
    return isThere ? [{ agent, part: partOfMember({ name: agent }), at }] : [];
  });
}

/** Each file is written in a way of its own, so no two may be the same. */
function checkFiles({ write, memory, guidelines }: PostMortemSource, { context }: StepContext): void {
  const known = memory ?? context.pipeline.memory?.file;
  const named = [
    ...(known ? [{ key: 'memory', ...known }] : []),
    ...(guidelines ? [{ key: 'guidelines', ...guidelines }] : []),
    ...(write ? [{ key: 'write', ...write }] : []),
  ];
  for (const [i, { key, value, at }] of named.entries()) {
    const other = named.slice(0, i).find((one) => sameFile(one.value, value));
    if (other)
      context.report('memory.same-file', at, `"${key}" and "${other.key}" are the same file, "${value}"`, 'give each a file of its own');
  }
}

function sameFile(one: string, other: string): boolean {
  return besideFile('', one) === besideFile('', other);
}
