import { type Compiled, compilePipeline, type Diagnostic, type Sources } from '../../../compiler';
import type { Step } from '../../../plan/steps/step';

export function sourcesOf(files: Readonly<Record<string, string>>): Sources {
  return { read: (path) => (Object.hasOwn(files, path) ? files[path] : undefined), list: () => [] };
}

/** Compiles a Lobster file that must compile. */
export function compiled(workflow: object | string, files: Readonly<Record<string, string>> = {}, file = 'flow.lobster'): Compiled {
  const text = typeof workflow === 'string' ? workflow : JSON.stringify(workflow);
  const made = compilePipeline(file, text, sourcesOf(files), { dialect: 'lobster' });
  if (!made.plan) throw new Error(made.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return made;
}

export function stepsOf(workflow: object | string): Step[] {
  return compiled(workflow).plan.block.steps;
}

/** The diagnostics with which a Lobster file is refused. */
export function refusals(workflow: object | string, files: Readonly<Record<string, string>> = {}): Diagnostic[] {
  const text = typeof workflow === 'string' ? workflow : JSON.stringify(workflow);
  const made = compilePipeline('flow.lobster', text, sourcesOf(files));
  expect(made.plan).toBeUndefined();
  return made.diagnostics.filter(({ severity }) => severity === 'error');
}
