import { readFileSync } from 'node:fs';
import { bug } from '../plan/run/failure';

/**
 * Workflow code as a worker loads it. The SDK takes a stack trace for every promise that workflow code makes, so that the query
 * `__stack_trace` can show where a workflow waits; that is most of the cost of a step, and no option turns it off. Without `traces`, code
 * that runs before the workflow's own answers the SDK's promise hook without a trace.
 *
 * Relies on how the hook of `@temporalio/worker` reaches into the sandbox (`lib/workflow/vm-shared.js`): it has the constructor of a
 * promise's constructor compile `return globalThis.…`. `test/worker/promise-traces.test.ts` fails if the SDK changes that.
 */
export function workflowCode(codePath: string, traces: boolean, sealsFailures = false): { code: string } | { codePath: string } {
  if (traces && !sealsFailures) return { codePath };
  const code = readFileSync(codePath, 'utf8');
  const loaded = sealsFailures ? withSealedFailures(code) : code;
  return { code: traces ? loaded : withoutPromiseTraces(loaded) };
}

/** Workflow code whose failures say what they say in a payload (`workflows/temporal/failure-converter.ts`). */
function withSealedFailures(code: string): string {
  const sealed = code.replace('failures of thermidor: plain', 'failures of thermidor: sealed');
  if (sealed === code) throw bug('the workflow code has no word for how its failures are written');
  return sealed;
}

/** On the first line, so that the lines of errors stay those of the bundle. */
export function withoutPromiseTraces(code: string): string {
  return `(${answerPromiseHook.toString().replaceAll('\n', ' ')})();${code}`;
}

/** Runs in the sandbox, as text: it may use nothing from around it, and has no line comments. */
function answerPromiseHook(): void {
  const compile = Promise.constructor;
  const activator = (): { stackTracesEnabled: boolean } | undefined => Reflect.get(globalThis, '__TEMPORAL_ACTIVATOR__');
  function Traceless(this: { stack: undefined }) {
    this.stack = undefined;
    const active = activator();
    if (active) active.stackTracesEnabled = false;
  }
  const traceless = () => Traceless;
  Object.defineProperty(Promise, 'constructor', {
    value: (source: string) => {
      if (source === 'return globalThis.__TEMPORAL_ACTIVATOR__') return activator;
      if (source === 'return globalThis.Error') return traceless;
      return compile(source);
    },
  });
}
