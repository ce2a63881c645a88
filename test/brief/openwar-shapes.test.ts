import { compilePipeline } from '../../compiler/compile';
import { NO_INSTALLATION } from '../../compiler/installation';
import type { Step } from '../../plan/steps/step';
import { briefWith, SHAPES } from './openwar-briefs';

it.each(SHAPES)('%s', (_, head, roles, found) => {
  const installation = { ...NO_INSTALLATION, adapters: ['anthropic', 'openai', 'claude', 'codex'] };
  const sources = { read: () => undefined, list: () => [] };
  const { plan, diagnostics } = compilePipeline('BRIEF.md', briefWith(head), sources, { installation });
  expect(diagnostics.map(({ code, line, column }) => `${code}@${line}:${column}`)).toEqual(found);
  const [step] = (plan?.block.steps ?? []) as Step[];
  // Nothing in its text is looked up.
  expect(JSON.stringify(step)).toContain(`has \${braces}, {{more}} and $dollars.`);
  expect(step?.kind === 'brief' && step.roles.map(({ id }) => id)).toEqual(roles);
});
