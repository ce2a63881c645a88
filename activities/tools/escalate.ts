import { ESCALATE_ARTIFACTS, ESCALATE_CHARACTERS, ESCALATE_LIMIT } from '../../plan/agents/run-request';
import { defined, unlessEmpty } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { field } from '../../plan/text/json';
import { refused, type Tool, type ToolUse } from './tool';
import { requiredText, withRefusals } from './tool-arguments';

/** Reports a problem to the agent's superior. The work continues. */
export const ESCALATE: Tool = {
  description:
    'Tells the agent above you, and the people above that agent, that something is wrong: figures that cannot be right, a task that cannot ' +
    `be done as it was given, a risk that nobody has seen. It does not stop your work, and nobody answers: go on as well as you can. At most ${ESCALATE_LIMIT} times.`,
  parameters: {
    type: 'object',
    required: ['reason'],
    additionalProperties: false,
    properties: {
      reason: { type: 'string', minLength: 1, maxLength: ESCALATE_CHARACTERS },
      artifacts: {
        type: 'array',
        maxItems: ESCALATE_ARTIFACTS,
        items: { type: 'string' },
        description: 'the artifacts of your task that it is about, by name or digest',
      },
    },
  },
  always: true,
  call: withRefusals(async (args, { runRequests, input }) => {
    const reason = requiredText(args, 'reason').trim();
    if (reason === '') return refused('"reason" says nothing');
    const wanted = field(args, 'artifacts');
    const named = Array.isArray(wanted) ? wanted.map(String) : [];
    const artifacts = named.map((name) => givenArtifact(input, name));
    const unknown = named.filter((_, i) => artifacts[i] === undefined);
    if (unknown.length > 0) return refused(`your task has no artifact ${unknown.map((name) => `"${name}"`).join(', ')}`);
    const about = artifacts.flatMap((ref) => ref ?? []);
    return runRequests.ask({ kind: 'escalate', reason, ...defined({ artifacts: unlessEmpty(about) }) }, ESCALATE_LIMIT);
  }),
};

function givenArtifact({ inputs = {} }: ToolUse['input'], wanted: string): ArtifactRef | undefined {
  return Object.values(inputs).find(({ name, sha256 }) => name === wanted || sha256 === wanted);
}
