import { compilePipeline } from '../../compiler';
import type { Plan } from '../../plan/plan';
import { sourcesOf } from '../compiler/golden-case';

/** The plan of a pipeline's text. If the text has mistakes, the test fails. */
export function planFrom(text: string): Plan {
  const { plan, diagnostics } = compilePipeline('p.yaml', `name: p\n${text}`, sourcesOf(new Map()), {});
  const errors = diagnostics.map(({ code, message }) => `${code}: ${message}`);
  if (!plan) throw new Error(errors.join('\n'));
  return plan;
}
